/**
 * The review UI for your own page: {@link mountLeadReview} and the element `<lead-review>`; of it alone
 * the pulse of an account: {@link mountAccountPulse} and `<account-pulse>`.
 *
 * Its styles live in a shadow tree: yours do not reach it, and its own do not reach yours. It never
 * touches your page's address, history, title or storage; keys are kept in memory. The
 * review takes the height of the element it stands in, and at least 560 px; a pulse is as high as what it says.
 *
 * Its WebAssembly is in many files beside the package's scripts, `review.wasm` and `review-*`, each loaded when what it draws is first
 * opened. All that is mounted in a page shares them.
 *
 * @module
 */

import type { ApprovalStatus } from "./types.js";
import type { Workspace } from "./index.js";

/**
 * What is shown: `leads`, `accounts` or `portfolio`, each with a query string, as in the address bar of the app:
 * `tab` (`pending`, `approved`, `rejected`, `filtered`, `all`), `q` (search), `sort`, `dir`, `cols`, `density` and more: go
 * to a view in the app, and take what follows the path in its address.
 *
 * @example
 * ```ts
 * import type { View } from "lead-workspace/ui";
 *
 * const view: View = "leads?tab=approved&sort=name";
 * ```
 */
export type View = "leads" | "accounts" | "portfolio" | (string & {});

/** The colours: as given, or as the system has them. */
export type Theme = "light" | "dark" | "system";

/** A decision that the server keeps. */
export interface Decision {
  /** The lead. */
  leadId: string;
  /** Its status now. */
  status: ApprovalStatus;
  /** Its status before. */
  previous: ApprovalStatus;
}

/** A place in the review. */
export interface Place {
  /** What is shown; can be given back as `view`. */
  view: View;
}

/** What to connect to: a workspace that you have already, or an address and a key. */
export type Connection =
  | {
      /**
       * The workspace: the review asks the same server with the same credentials, timeouts, retries, hooks and
       * `jobPath`. A `getApiKey` is asked by the review as well, and again where its key is not accepted.
       */
      workspace: Workspace;
      baseUrl?: undefined;
      apiKey?: undefined;
      tenantId?: undefined;
    }
  | {
      workspace?: undefined;
      /** The address of the workspace. Default: the page's own origin. */
      baseUrl?: string;
      /** The API key. Without one the review offers a dialog to enter it. */
      apiKey?: string;
      /** The workspace that is meant, where a key opens several. */
      tenantId?: string;
    };

/** The options of {@link mountLeadReview}. */
export type LeadReviewOptions = Connection & {
  /** What is shown first. Default `leads`. */
  view?: View;
  /** The colours. Default `system`. */
  theme?: Theme;
  /** Hears of every decision that the server keeps, also when one is taken back. */
  onDecision?: (decision: Decision) => void;
  /** Hears of every change of the view that a person makes; not of those by `navigate`. */
  onNavigate?: (place: Place) => void;
};

/** A review in a page. */
export interface LeadReview {
  /** The element that was added to the page. */
  readonly element: LeadReviewElement;
  /**
   * Settles when the review is in the page; rejects with the reason when it cannot be shown, and with an
   * `AbortError` when it is taken away before.
   */
  readonly ready: Promise<void>;
  /**
   * Goes to a view.
   *
   * @throws Error when there is no such view, or the review was unmounted.
   */
  navigate(view: View): void;
  /**
   * Takes the review away, with all that it listens to and waits for. Decisions that are not saved
   * yet are still sent, for as long as your page lives; those that are paused are not. Twice is no
   * error.
   */
  unmount(): void;
}

/**
 * Shows the review in an element of your page, after what is in it. It loads its WebAssembly module
 * by itself, once for the whole page: what the first screen needs, and the rest when it is opened. Several may
 * stand in one page; they share nothing but that code.
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
  /** The server keeps a decision. */
  decision: CustomEvent<Decision>;
  /** A person went to another view. */
  navigate: CustomEvent<Place>;
}

/**
 * `<lead-review base-url api-key tenant-id view theme>`: the review as an element. It connects when
 * it comes into the page and ends when it leaves. Changing the connection begins anew, at the same view.
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
  /** The workspace to connect to, in place of address and key. */
  workspace: Workspace | undefined;
  /** The address of the workspace; the attribute `base-url`. */
  baseUrl: string | undefined;
  /** The API key. As a property it does not stand in the document; the attribute is `api-key`. */
  apiKey: string | undefined;
  /** The workspace that is meant, where a key opens several; the attribute `tenant-id`. */
  tenantId: string | undefined;
  /** What is shown now. Setting it goes there; the attribute `view` says what is shown first. */
  view: View;
  /** The colours; the attribute `theme`. */
  theme: Theme;
  /** Settles when the review is in the page; rejects with the reason, or with an `AbortError` when it went before. */
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

/** The class of `<lead-review>`; undefined where there is no document, as on a server. */
export const LeadReviewElement:
  | {
      new (): LeadReviewElement;
      prototype: LeadReviewElement;
    }
  | undefined;

/** The options of {@link mountAccountPulse}. */
export type AccountPulseOptions = Connection & {
  /** The account. */
  accountId: string;
  /** The colours. Default `system`. */
  theme?: Theme;
  /** Hears of the lead that a person wants to see, as a view of the review: `leads?lead=ID`. */
  onNavigate?: (place: Place) => void;
};

/** The pulse of an account in a page. */
export interface MountedAccountPulse {
  /** The element that was added to the page. */
  readonly element: AccountPulseElement;
  /** Settles when the pulse is in the page; rejects with the reason, or with an `AbortError` when it went before. */
  readonly ready: Promise<void>;
  /**
   * Shows another account.
   *
   * @throws Error when the pulse was unmounted.
   */
  show(accountId: string): void;
  /** Takes the pulse away, with all that it listens to and waits for. Twice is no error. */
  unmount(): void;
}

/**
 * Shows how outreach to an account is going in an element of your page, after what is in it: the funnel,
 * the classes of the replies, the conversation worth acting on, campaigns, recent conversations. The same
 * module as the review's, loaded once for the whole page. Several may stand in one page.
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
  /** A person wants to see a lead. */
  navigate: CustomEvent<Place>;
}

/**
 * `<account-pulse account-id base-url api-key tenant-id theme>`: the pulse as an element. It connects
 * when it comes into the page and ends when it leaves; another `account-id` shows another account.
 * Importing `lead-workspace/ui` defines it.
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
  /** The workspace to connect to, in place of address and key. */
  workspace: Workspace | undefined;
  /** The address of the workspace; the attribute `base-url`. */
  baseUrl: string | undefined;
  /** The API key. As a property it does not stand in the document; the attribute is `api-key`. */
  apiKey: string | undefined;
  /** The workspace that is meant, where a key opens several; the attribute `tenant-id`. */
  tenantId: string | undefined;
  /** The account that is shown; the attribute `account-id`. */
  accountId: string | undefined;
  /** The colours; the attribute `theme`. */
  theme: Theme;
  /** Settles when the pulse is in the page; rejects with the reason, or with an `AbortError` when it went before. */
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

/** The class of `<account-pulse>`; undefined where there is no document, as on a server. */
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
