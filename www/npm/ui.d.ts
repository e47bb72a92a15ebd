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
 * @module
 */

import type { ApprovalStatus, LeadDetail, LeadListItem } from "./types.js";
import type { Workspace } from "./index.js";

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

/** The colour theme; `system` follows the system's setting. */
export type Theme = "light" | "dark" | "system";

/** The colours of {@link Appearance}, each as any CSS colour. */
export interface AppearanceColors {
  /**
   * The main buttons; the text on them is chosen so that it can be read. Links, lines and marks get the nearest tone
   * that has a contrast of 4.5:1 where it is used.
   */
  accent?: string;
  /**
   * What rows, bars and panes are on; other backgrounds are derived from it. It decides whether the screen is light or
   * dark, so give one for each theme to have both.
   */
  surface?: string;
  /** Text; quieter texts are derived from it. It is adjusted if its contrast is less than 4.5:1. */
  text?: string;
  /** The lines between areas; those between rows are derived from it. Default: a mix of text and surface. */
  line?: string;
}

/**
 * The look of the review and the pulse: what your page's brand decides. All other colours are derived, and adjusted so
 * that every text can be read. What is not valid is ignored, with a warning in the console or the workspace's logger.
 * What is missing is taken from the custom property of the page with the same name, such as `--lead-workspace-accent`.
 *
 * @example
 * ```ts
 * import { type Appearance, mountLeadReview } from "lead-workspace/ui";
 *
 * const appearance: Appearance = {
 *   theme: "system",
 *   accent: "#0b6e5f",
 *   fontFamily: "Georgia, serif",
 *   borderRadius: 2,
 *   light: { surface: "#fffdf8" },
 *   dark: { surface: "#14201e", accent: "#5ad1bd" },
 * };
 * mountLeadReview(document.querySelector("#review")!, { appearance });
 * ```
 */
export interface Appearance extends AppearanceColors {
  /** The colour theme, instead of the option `theme`. */
  theme?: Theme;
  /** The font, as in CSS. Fonts that your page loads can be used. Default: `Inter`, then the system's. */
  fontFamily?: string;
  /** The size of normal text, from 11 to 16 px; a number is in pixels. Other sizes follow. Default: 13 px. */
  fontSize?: number | string;
  /** The corners of buttons, fields and panes, from 0 to 16 px; a number is in pixels. Default: 8 px. */
  borderRadius?: number | string;
  /** The height of a comfortable row, from 28 to 80 px; a number is in pixels. A compact one has 80 % of it. Default: 40 px. */
  rowHeight?: number | string;
  /** Colours of the light theme, before those of both. */
  light?: AppearanceColors;
  /** Colours of the dark theme, before those of both. */
  dark?: AppearanceColors;
}

/** A decision that the server has stored. */
export interface Decision {
  /** Id of the lead. */
  leadId: string;
  /** The approval status after the decision. */
  status: ApprovalStatus;
  /** The approval status before the decision. */
  previous: ApprovalStatus;
}

/** A location in the review. */
export interface Place {
  /** The view; can be passed back as `view`. */
  view: View;
}

/** What a cell shows. A text is shown as it is, never as markup. A node is yours: your style sheets apply to it. */
export type CellValue = string | number | bigint | boolean | Node | null | undefined;

/**
 * A column of your page in the list of leads. The user can show, hide, move, pin and resize it, and save it in views,
 * like all others.
 */
export interface ReviewColumn {
  /** Identifies the column, also in saved views. Never reuse the id of another column. */
  id: string;
  /** The text of the header. */
  label: string;
  /**
   * Returns what the cell of a lead shows, or a promise of it; until that settles, the cell is empty. It is called
   * for the rows near the view, when a row gets there, when its lead or its decision changes, and after
   * `refreshColumns`. If it throws or rejects, this cell stays empty, with the reason as its tooltip; the first error of
   * each column is reported like any uncaught error.
   *
   * `lead.approval_status` is the status that the list shows, even if it is not saved yet.
   */
  value(lead: LeadListItem): CellValue | PromiseLike<CellValue>;
  /** The width in pixels, from 48 to 800, if the user chose none. Default: at least 132, growing with the list. */
  width?: number;
  /** Where the content is; `end` for numbers. Default: `start`. */
  align?: "start" | "end";
}

/** The second argument of the `run` of an action. */
export interface ActionContext {
  /** Aborted when the user cancels the action, or the review is removed. */
  signal: AbortSignal;
  /** Shows how much is done, from 0 to 1. Without it, the progress bar only says that the action runs. */
  progress(share: number): void;
}

/**
 * A command of your page. It is in the menu of a row, in the details, in the bar of a selection if it is for `leads`
 * or `account`, in the command palette, and among the keyboard shortcuts.
 */
export interface ReviewAction {
  /** Identifies the action. */
  id: string;
  /** What it does, in a word or two: "Add to sequence". */
  label: string;
  /**
   * A key for it, such as `Y`, `Shift+Y` or `Ctrl+Y`. A key that the review, the browser or another action uses is not
   * taken; the console says so once. Default: none.
   */
  key?: string;
  /**
   * What it acts on: `lead`, one lead; `leads`, all selected leads, or one lead; `account`, the selected accounts, one
   * account, or the account of a lead.
   */
  for: "lead" | "leads" | "account";
  /**
   * Runs the action with the ids of the leads or accounts. While the promise that it returns is pending, the review shows
   * its progress, and a button that cancels it. If it throws or rejects, the review shows the message of the error,
   * and a button that runs it again.
   */
  run(ids: string[], context: ActionContext): unknown;
}

/**
 * Returns a section for the details of a lead: a node, or an object with a node and a function that is called when the
 * section is removed; nothing for a lead without one. It is called once for each lead that is opened, and not again
 * when that lead is read again. If it throws, the section says why.
 */
export type DetailsSection = (lead: LeadDetail) => Node | { node: Node; destroy?(): void } | null | undefined;

/** What your page adds to the review. All of it may change at any time. */
export interface HostPage {
  /** The name of your page, shown above what it adds. Default: "This page". */
  hostName?: string;
  /** Columns of the list of leads. Keep the array, and the functions in it, while they stay the same. */
  columns?: readonly ReviewColumn[];
  /** Commands. */
  actions?: readonly ReviewAction[];
  /** A section in the details of a lead. */
  details?: DetailsSection;
}

/** A changed selection. */
export interface SelectionChange {
  /** The list. */
  list: "leads" | "accounts";
  /** The ids of all rows that are selected now, on any page, in no particular order. */
  ids: string[];
}

/** The lead whose details are open. */
export interface OpenLead {
  /** Id of the lead, or `null` if the details were closed. */
  leadId: string | null;
}

/** The result of a decision on several leads, by ids of the leads. Leads that were decided again since are left out. */
export interface BulkResult {
  /** The status that was decided. */
  status: ApprovalStatus;
  /** Leads that have the status now. */
  updated: string[];
  /** Leads that were certainly not updated. */
  failed: string[];
  /** Leads that may have been updated: no response arrived. */
  uncertain: string[];
}

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
      baseUrl?: string;
      /** The API key. Without one, the review opens a dialog to enter it. */
      apiKey?: string;
      /**
       * Whether to omit the warning of an API key in a page from another machine; see `allowApiKeyInPage` of
       * `Workspace.create`. Default: `false`.
       */
      allowApiKeyInPage?: boolean;
      /** The workspace to use, if the key gives access to several. */
      tenantId?: string;
    };

/** The options of {@link mountLeadReview}. */
export type LeadReviewOptions = Connection & HostPage & {
  /** The first view. Default: `leads`. */
  view?: View;
  /** The colour theme. Default: `system`. */
  theme?: Theme;
  /** Colours, font, corners and row height of your brand. */
  appearance?: Appearance;
  /** Called for every decision that the server stores, including an undo. */
  onDecision?: (decision: Decision) => void;
  /** Called when the user changes the view; not after `navigate`. */
  onNavigate?: (place: Place) => void;
  /** Called when the user selects or deselects rows. */
  onSelection?: (selection: SelectionChange) => void;
  /** Called when the details of a lead are opened or closed, also by `navigate`. */
  onOpen?: (open: OpenLead) => void;
  /** Called when the outcome of a decision on several leads is known for each of them. */
  onBulk?: (result: BulkResult) => void;
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
  /** The current view. Setting it, or the attribute `view`, opens a view; the attribute is not updated. */
  view: View;
  /** The colour theme; the attribute `theme`. */
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
  /** Colours, font, corners and row height of your brand. */
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
  /** The colour theme. Default: `system`. */
  theme?: Theme;
  /** Colours, font, corners and row height of your brand. */
  appearance?: Appearance;
  /** Called with the lead that the user wants to open, as a view of the review: `leads?lead=ID`. */
  onNavigate?: (place: Place) => void;
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
  /** The colour theme; the attribute `theme`. */
  theme: Theme;
  /** Colours, font, corners and row height of your brand. */
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
