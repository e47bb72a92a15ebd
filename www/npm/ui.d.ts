/**
 * The review UI for your own page: {@link mountLeadReview} and the element `<lead-review>`, and the account
 * pulse on its own: {@link mountAccountPulse} and `<account-pulse>`.
 *
 * Its styles live in a shadow tree: yours do not apply to it, and its own do not apply to your page. It does
 * not use your page's address, history, title or storage; keys are kept in memory. The review takes the
 * height of the element that contains it, and at least 560 px; a pulse is as high as its content.
 *
 * Its WebAssembly is next to the package's scripts: `review.wasm` has the first screen, and `review-*` are loaded
 * when they are first needed. Everything mounted in a page shares them.
 *
 * On a server, only import it. In React, render the elements after mount: React 19 sets no properties of a custom element
 * that a server rendered. See `lead-workspace/react-ui`.
 *
 * @module
 */

import type { Appearance, Theme } from "./appearance.js";
import type { DetailsSection, HostPage, ReviewAction, ReviewColumn } from "./host-page.js";
import type { Workspace } from "./index.js";
import type { BulkResult, Decision, OpenLead, Place, SelectionChange } from "./ui-events.js";

export type * from "./appearance.js";
export type * from "./host-page.js";
export type * from "./ui-events.js";

/**
 * A view of the review: `leads`, `accounts`, `portfolio` or `insights`, each with an optional query string as in the
 * address bar of the app: `tab` (`pending`, `approved`, `rejected`, `filtered`, `all`), `q` (search), `sort`,
 * `dir`, `cols`, `density` and more. To find a query string, open the view in the app and copy it from the
 * address bar.
 *
 * @example
 * ```ts
 * import type { View } from "lead-workspace/ui";
 *
 * const view: View = "leads?tab=approved&sort=name";
 * ```
 */
export type View = "leads" | "accounts" | "portfolio" | "insights" | (string & {});

/** The workspace to connect to: an existing one, or an address and a key. */
export type Connection =
  | {
      /**
       * The workspace. The review connects to the same server with the same credentials, timeouts, retries,
       * headers, `fetch`, hooks, logger and `jobPath`. It also calls `getApiKey`, and again if the server does not accept the key.
       */
      workspace: Workspace;
      baseUrl?: undefined;
      apiKey?: undefined;
      allowApiKeyInPage?: undefined;
      tenantId?: undefined;
    }
  | {
      workspace?: undefined;
      /** The address of the workspace. Default: the page's own origin. */
      baseUrl?: string | undefined;
      /** The API key. Without one, the review opens a dialog to enter it. */
      apiKey?: string | undefined;
      /**
       * Whether to omit the warning of an API key in a page from another machine; see `allowApiKeyInPage` of
       * `Workspace.create`. Default: `false`.
       */
      allowApiKeyInPage?: boolean | undefined;
      /** The workspace to use, if the key gives access to several. */
      tenantId?: string | undefined;
    };

/** The options of {@link mountLeadReview}. */
export type LeadReviewOptions = Connection & HostPage & {
  /** The first view. Default: `leads`. */
  view?: View | undefined;
  /** The color theme. Default: `system`. */
  theme?: Theme | undefined;
  /** Colors, font, corners and row height of your brand. */
  appearance?: Appearance | undefined;
  /** Called for every decision that the server stores, including an undo. */
  onDecision?: ((decision: Decision) => void) | undefined;
  /** Called when the user changes the view; not after `navigate`. */
  onNavigate?: ((place: Place) => void) | undefined;
  /** Called when the user selects or deselects rows. */
  onSelection?: ((selection: SelectionChange) => void) | undefined;
  /** Called when the details of a lead are opened or closed, also by `navigate`. */
  onOpen?: ((open: OpenLead) => void) | undefined;
  /** Called when the outcome of a decision on several leads is known for each of them. */
  onBulk?: ((result: BulkResult) => void) | undefined;
};

/** A mounted review. */
export interface LeadReview {
  /** The element that was added to the page. */
  readonly element: LeadReviewElement;
  /**
   * Settles when the review is in the page. Rejects with the reason if it cannot be shown, and with an
   * `AbortError` if it is removed before that.
   */
  readonly ready: Promise<void>;
  /**
   * Opens a view.
   *
   * @throws Error if the view does not exist, or the review was unmounted.
   */
  navigate(view: View): void;
  /**
   * Calls the `value` of your columns again for the rows near the view. They show what they do until then.
   *
   * @throws Error if the review was unmounted.
   */
  refreshColumns(): void;
  /**
   * Removes the review and stops everything it listens to and waits for. Decisions that are not saved yet are
   * still sent while your page is open, except paused ones. Calling it again is safe.
   */
  unmount(): void;
}

/**
 * Shows the review in an element of your page, after its content. It loads its WebAssembly module once for
 * the whole page: the code of the first screen immediately, and the rest when it is opened. A page may
 * contain several reviews; they share only that code.
 *
 * @example
 * ```ts
 * import { Workspace } from "lead-workspace";
 * import { mountLeadReview } from "lead-workspace/ui";
 *
 * const workspace = await Workspace.create({ baseUrl: "https://workspace.example", apiKey: "lwk_…" });
 * const place = document.querySelector("#review")!;
 * const review = mountLeadReview(place, {
 *   workspace,
 *   view: "leads?tab=pending",
 *   theme: "light",
 *   onDecision: ({ leadId, status }) => console.log(leadId, status),
 * });
 * await review.ready;
 * review.navigate("accounts");
 * review.unmount();
 * ```
 */
export function mountLeadReview(element: Element, options?: LeadReviewOptions): LeadReview;

/** The events of `<lead-review>`. */
export interface LeadReviewEventMap extends HTMLElementEventMap {
  /** The server has stored a decision. */
  decision: CustomEvent<Decision>;
  /** The user opened another view. */
  navigate: CustomEvent<Place>;
  /** The user selected or deselected rows. */
  selection: CustomEvent<SelectionChange>;
  /** The details of a lead were opened or closed. */
  open: CustomEvent<OpenLead>;
  /** The outcome of a decision on several leads is known for each of them. */
  bulk: CustomEvent<BulkResult>;
}

/**
 * `<lead-review base-url api-key tenant-id view theme host-name>`: the review as an element. It connects when it is
 * added to the page and ends when it is removed. Changing the connection restarts it at the same view.
 * Importing `lead-workspace/ui` defines it.
 *
 * @example
 * ```ts
 * import "lead-workspace/ui";
 *
 * const review = document.createElement("lead-review");
 * review.baseUrl = "https://workspace.example";
 * review.apiKey = "lwk_…";
 * review.addEventListener("decision", (event) => console.log(event.detail.leadId));
 * document.body.append(review);
 * ```
 */
export interface LeadReviewElement extends HTMLElement {
  /** The workspace to connect to, instead of an address and a key. */
  workspace: Workspace | undefined;
  /** The address of the workspace; the attribute `base-url`. */
  baseUrl: string | undefined;
  /** The API key; the attribute `api-key`. If set as a property, it does not appear in the document. */
  apiKey: string | undefined;
  /** Whether to omit the warning of an API key in the page; the attribute `allow-api-key-in-page`. */
  allowApiKeyInPage: boolean;
  /** The workspace to use, if the key gives access to several; the attribute `tenant-id`. */
  tenantId: string | undefined;
  /**
   * The current view. Setting it, or the attribute `view`, opens a view; the attribute is not updated. If there is no such
   * view, `ready` rejects; once the review is shown, it stays as it is, and the error is reported like an uncaught one.
   */
  view: View;
  /** The color theme; the attribute `theme`. */
  theme: Theme;
  /** The name of your page, shown above what it adds; the attribute `host-name`. */
  hostName: string | undefined;
  /** Columns of your page in the list of leads. */
  columns: readonly ReviewColumn[] | undefined;
  /** Commands of your page. */
  actions: readonly ReviewAction[] | undefined;
  /** A section of your page in the details of a lead. */
  details: DetailsSection | undefined;
  /** Calls the `value` of the columns again for the rows near the view. */
  refreshColumns(): void;
  /**
   * Colors, font, corners and row height of your brand. If it is not an object, or its theme does not exist, `ready` rejects;
   * later, that is reported like an uncaught error, and the value is not used.
   */
  appearance: Appearance | undefined;
  /**
   * Settles when the review is in the page. Rejects with the reason, or with an `AbortError` if it is removed
   * before.
   */
  readonly ready: Promise<void>;

  addEventListener<K extends keyof LeadReviewEventMap>(
    type: K,
    listener: (this: LeadReviewElement, event: LeadReviewEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof LeadReviewEventMap>(
    type: K,
    listener: (this: LeadReviewElement, event: LeadReviewEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** The class of `<lead-review>`; undefined if there is no document, as on a server. */
export const LeadReviewElement:
  | {
      new (): LeadReviewElement;
      prototype: LeadReviewElement;
    }
  | undefined;

/** The options of {@link mountAccountPulse}. */
export type AccountPulseOptions = Connection & {
  /** Id of the account. */
  accountId: string;
  /** The color theme. Default: `system`. */
  theme?: Theme | undefined;
  /** Colors, font, corners and row height of your brand. */
  appearance?: Appearance | undefined;
  /** Called with the lead that the user wants to open, as a view of the review: `leads?lead=ID`. */
  onNavigate?: ((place: Place) => void) | undefined;
};

/** A mounted account pulse. */
export interface MountedAccountPulse {
  /** The element that was added to the page. */
  readonly element: AccountPulseElement;
  /**
   * Settles when the pulse is in the page. Rejects with the reason, or with an `AbortError` if it is removed
   * before.
   */
  readonly ready: Promise<void>;
  /**
   * Shows another account.
   *
   * @throws Error if the pulse was unmounted.
   */
  show(accountId: string): void;
  /** Removes the pulse and stops everything it listens to and waits for. Calling it again is safe. */
  unmount(): void;
}

/**
 * Shows the outreach summary of an account in an element of your page, after its content: the funnel, the
 * classes of replies, the conversation worth acting on, campaigns and recent conversations. It uses the same
 * module as the review, loaded once for the whole page. A page may contain several.
 *
 * @example
 * ```ts
 * import { mountAccountPulse } from "lead-workspace/ui";
 *
 * const pulse = mountAccountPulse(document.querySelector("#account")!, {
 *   baseUrl: "https://workspace.example",
 *   apiKey: "lwk_…",
 *   accountId: "account_7",
 *   onNavigate: ({ view }) => console.log(view),
 * });
 * await pulse.ready;
 * pulse.show("account_8");
 * pulse.unmount();
 * ```
 */
export function mountAccountPulse(element: Element, options: AccountPulseOptions): MountedAccountPulse;

/** The events of `<account-pulse>`. */
export interface AccountPulseEventMap extends HTMLElementEventMap {
  /** The user wants to open a lead. */
  navigate: CustomEvent<Place>;
}

/**
 * `<account-pulse account-id base-url api-key tenant-id theme>`: the pulse as an element. It connects when it
 * is added to the page and ends when it is removed; another `account-id` shows another account. Importing
 * `lead-workspace/ui` defines it.
 *
 * @example
 * ```ts
 * import "lead-workspace/ui";
 *
 * const pulse = document.createElement("account-pulse");
 * pulse.accountId = "account_7";
 * pulse.apiKey = "lwk_…";
 * pulse.addEventListener("navigate", (event) => console.log(event.detail.view));
 * document.body.append(pulse);
 * ```
 */
export interface AccountPulseElement extends HTMLElement {
  /** The workspace to connect to, instead of an address and a key. */
  workspace: Workspace | undefined;
  /** The address of the workspace; the attribute `base-url`. */
  baseUrl: string | undefined;
  /** The API key; the attribute `api-key`. If set as a property, it does not appear in the document. */
  apiKey: string | undefined;
  /** Whether to omit the warning of an API key in the page; the attribute `allow-api-key-in-page`. */
  allowApiKeyInPage: boolean;
  /** The workspace to use, if the key gives access to several; the attribute `tenant-id`. */
  tenantId: string | undefined;
  /** The account that is shown; the attribute `account-id`. */
  accountId: string | undefined;
  /** The color theme; the attribute `theme`. */
  theme: Theme;
  /**
   * Colors, font, corners and row height of your brand. If it is not an object, or its theme does not exist, `ready` rejects;
   * later, that is reported like an uncaught error, and the value is not used.
   */
  appearance: Appearance | undefined;
  /**
   * Settles when the pulse is in the page. Rejects with the reason, or with an `AbortError` if it is removed
   * before.
   */
  readonly ready: Promise<void>;

  addEventListener<K extends keyof AccountPulseEventMap>(
    type: K,
    listener: (this: AccountPulseElement, event: AccountPulseEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof AccountPulseEventMap>(
    type: K,
    listener: (this: AccountPulseElement, event: AccountPulseEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** The class of `<account-pulse>`; undefined if there is no document, as on a server. */
export const AccountPulseElement:
  | {
      new (): AccountPulseElement;
      prototype: AccountPulseElement;
    }
  | undefined;

declare global {
  interface HTMLElementTagNameMap {
    "account-pulse": AccountPulseElement;
    "lead-review": LeadReviewElement;
  }
}
