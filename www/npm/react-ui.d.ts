/**
 * `<lead-review>` and `<account-pulse>` in the JSX of React 19. Import this module instead of
 * `lead-workspace/ui` to add their types. The attributes are the properties of the elements; the events are
 * `onnavigate`, `ondecision`, `onselection`, `onopen` and `onbulk`.
 *
 * React 19 sets no properties of a custom element that a server rendered, and the server writes texts among them, also the key, into
 * the HTML. Render the elements after mount: when an effect has set a state, or with `dynamic(…, { ssr: false })` in Next.js.
 *
 * @module
 */

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type {
  AccountPulseElement,
  BulkResult,
  Decision,
  LeadReviewElement,
  OpenLead,
  Place,
  SelectionChange,
} from "./ui.js";

export * from "./ui.js";

// React has a type `Attributes`, which would hide one of that name below.
type AttributesOf<Element, Names extends keyof Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element> &
  { [Name in Names]?: Element[Name] | undefined };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "lead-review": AttributesOf<
        LeadReviewElement,
        | "workspace"
        | "baseUrl"
        | "apiKey"
        | "allowApiKeyInPage"
        | "tenantId"
        | "view"
        | "theme"
        | "appearance"
        | "hostName"
        | "columns"
        | "actions"
        | "details"
      > & {
        ondecision?: ((event: CustomEvent<Decision>) => void) | undefined;
        onnavigate?: ((event: CustomEvent<Place>) => void) | undefined;
        onselection?: ((event: CustomEvent<SelectionChange>) => void) | undefined;
        onopen?: ((event: CustomEvent<OpenLead>) => void) | undefined;
        onbulk?: ((event: CustomEvent<BulkResult>) => void) | undefined;
      };
      "account-pulse": AttributesOf<
        AccountPulseElement,
        "workspace" | "baseUrl" | "apiKey" | "allowApiKeyInPage" | "tenantId" | "accountId" | "theme" | "appearance"
      > & {
        onnavigate?: ((event: CustomEvent<Place>) => void) | undefined;
      };
    }
  }
}
