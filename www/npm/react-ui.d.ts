/**
 * `<lead-review>` and `<account-pulse>` in the JSX of React 19. Import this module instead of
 * `lead-workspace/ui` to add their types. The attributes are the properties of the elements; the events are
 * `onnavigate` and `ondecision`.
 *
 * @module
 */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { AccountPulseElement, Decision, LeadReviewElement, Place } from "./ui.js";

export * from "./ui.js";

// React has a type `Attributes`, which would hide one of that name below.
type AttributesOf<Element, Names extends keyof Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element> &
  Partial<Pick<Element, Names>>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "lead-review": AttributesOf<
        LeadReviewElement,
        "workspace" | "baseUrl" | "apiKey" | "allowApiKeyInPage" | "tenantId" | "view" | "theme"
      > & {
        ondecision?: ((event: CustomEvent<Decision>) => void) | undefined;
        onnavigate?: ((event: CustomEvent<Place>) => void) | undefined;
      };
      "account-pulse": AttributesOf<
        AccountPulseElement,
        "workspace" | "baseUrl" | "apiKey" | "allowApiKeyInPage" | "tenantId" | "accountId" | "theme"
      > & {
        onnavigate?: ((event: CustomEvent<Place>) => void) | undefined;
      };
    }
  }
}
