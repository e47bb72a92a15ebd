// Decisions on leads without a screen: shown at once, sent in the background, undone and redone.

import type { ApprovalStatus, LeadQuery, NewApprovalStatus } from "./types.js";

/** Options of {@link Workspace.review}. */
export interface ReviewOptions {
  /**
   * Whether decisions that are not saved yet are kept in the browser's local storage, so that a reload or a crash
   * loses none. Each tab has a slot of its own; the slot of a closed tab is taken over by the next review with the same
   * `storageKey`. Without local storage, as in Node and in workers, nothing is kept; see {@link ReviewSnapshot.isKept}.
   * @defaultValue `true`
   */
  persist?: boolean | undefined;
  /**
   * Names the slots in local storage and the channel to other tabs. Reviews of different people on one browser need
   * different keys.
   * @defaultValue the base URL and the tenant of the workspace
   */
  storageKey?: string | undefined;
}

/**
 * How far the decision on a lead is.
 *
 * - `idle`: nothing was decided here, or the decision was taken back.
 * - `queued`: it waits to be sent.
 * - `sent`: its request is in flight.
 * - `retrying`: no response arrived, so the server may have it. It is sent again by itself.
 * - `confirmed`: the server saved it.
 * - `failed`: the server refused it. The lead shows its previous status.
 * - `uncertain`: the server may have saved it, and it is not sent again by itself. Use `retry` or `revert`.
 */
export type DecisionPhase = "idle" | "queued" | "sent" | "retrying" | "confirmed" | "failed" | "uncertain";

/** The status of a lead as the review sees it. The same object is returned until something changes. */
export interface LeadStatus {
  /** The status to show; `null` if the lead was neither decided here nor read with this workspace lately. */
  readonly shown: ApprovalStatus | null;
  readonly phase: DecisionPhase;
  /** The status that was decided and is not saved; `null` if there is none. */
  readonly wanted: NewApprovalStatus | null;
  /** Why the decision failed or is uncertain, as a sentence for the user; `null` if it did and is not. */
  readonly reason: string | null;
}

/** The review as a whole. The same object is returned until something changes. */
export interface ReviewSnapshot {
  /** Number of leads whose decisions are on their way: queued, sent or retrying. */
  readonly pending: number;
  /** Number of leads whose decisions failed. */
  readonly failed: number;
  /** Number of leads whose decisions may have been saved. */
  readonly uncertain: number;
  /** Number of leads whose decisions the server saved. */
  readonly confirmed: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether the browser is online. Decisions wait while it is not. */
  readonly isOnline: boolean;
  /** When sending goes on after a rate limit or an outage, in milliseconds since 1970; `null` if it is not paused. */
  readonly pausedUntil: number | null;
  /** Whether decisions that are not saved yet are kept in local storage. `false` if it is missing or full. */
  readonly isKept: boolean;
}

/** A decision that can be undone. */
export interface DecisionStep {
  readonly step: number;
  readonly status: NewApprovalStatus;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  /** The leads, each with the status that it had before; `null` if that is not known. */
  readonly leads: readonly { readonly id: string; readonly from: ApprovalStatus | null }[];
}

/** What an undo did. */
export interface Undone {
  readonly step: number;
  /** Leads that got their previous status back. */
  readonly leads: readonly string[];
  /** Leads that kept theirs: they were decided again since, or their previous status is not known. */
  readonly kept: readonly string[];
}

/** A lead to decide on: its id, or a row or lead as the workspace returned it, with the status that is on the screen. */
export type LeadToDecide =
  | string
  | { readonly lead_id: string; readonly approval_status?: ApprovalStatus | null }
  | { readonly id: string | null; readonly approval_status?: ApprovalStatus | null };

/** A page, or anything else with rows in `data`. */
export interface PageOfLeads<Row> {
  readonly data: readonly Row[];
}

/** Options of {@link Review.decideAll}. */
export interface DecideAllOptions {
  /** Stops the collecting of leads: `decideAll` rejects with the signal's reason, and nothing is decided. */
  signal?: AbortSignal | undefined;
  /** Called after each page that was read, with the number of leads so far and the total of the query. */
  onCollect?: ((collected: number, total: number | null) => void) | undefined;
}

/** Progress of a decision on more than 100 leads. The same object is returned until something changes. */
export interface RunProgress {
  /** Number of leads. */
  readonly total: number;
  /** Leads that wait, or are sent right now. */
  readonly open: number;
  readonly updated: number;
  readonly failed: number;
  readonly uncertain: number;
  /** Leads that were cancelled, or decided differently since. */
  readonly leftOut: number;
  readonly isPaused: boolean;
  readonly isCancelled: boolean;
}

/** A decision on many leads, sent in requests of 100. */
export interface DecisionRun {
  readonly run: number;
  /** The step to undo; `null` for a run that undoes one. */
  readonly step: number | null;
  /** The progress; `null` once the run was closed. */
  readonly progress: RunProgress | null;
  /** Holds back what is not sent yet. A paused run stays paused over reloads. */
  pause(): void;
  resume(): void;
  /** Takes back what is not saved. Where the server may have saved it, the previous status is sent. */
  cancel(): void;
  /** Sends again what failed or is uncertain. */
  retry(): void;
  /** Removes the run from {@link Review.runs}. Its decisions go on. */
  close(): void;
  /** The leads by outcome so far. */
  outcome(): RunOutcome;
  /**
   * Resolves when no lead is open, also if leads failed, and after `cancel` and `close`. Rejects with an `AbortError` if the
   * review is disposed of before.
   */
  readonly finished: Promise<RunOutcome>;
}

/** The leads of a run by outcome. */
export interface RunOutcome {
  readonly open: readonly string[];
  readonly updated: readonly string[];
  readonly failed: readonly string[];
  readonly uncertain: readonly string[];
  readonly leftOut: readonly string[];
}

/** Options of {@link Review.flush}. */
export interface FlushOptions {
  /** Ends the wait, not the sending: `flush` rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Decisions on the leads of a workspace. A decision is shown at once and sent in the background: the latest decision
 * on a lead wins, no lead is in two requests at once, decisions with the same status share requests of up to 100 leads,
 * and at most two requests are in flight. Decisions wait while the browser is offline, and at the workspace's rate-limit
 * gate.
 */
export interface Review {
  /**
   * Decides on leads. Leads that are shown with this status already are skipped. More than 100 leads are a
   * {@link DecisionRun} in {@link Review.runs}.
   *
   * @returns the number of the step to undo, or `null` if every lead was skipped.
   * @throws {@link ArgumentError} if a lead has no id, or the status is none.
   */
  decide(leads: LeadToDecide | readonly LeadToDecide[], status: NewApprovalStatus): number | null;

  /**
   * Decides on all leads of a query, as they are now: all ids are read first, then decided as one step. Rejects before
   * anything is read if the status is none, or the review was disposed of.
   *
   * @returns the run, also for few leads; `null` if no lead needs the status.
   */
  decideAll(query: LeadQuery, status: NewApprovalStatus, options?: DecideAllOptions): Promise<DecisionRun | null>;

  /**
   * Undoes a step, the latest by default. `null` if there is none, or if every lead of it was decided again since.
   *
   * @throws {@link ArgumentError} if the step is not an integer from 0, such as the event of a click.
   */
  undo(step?: number): Undone | null;

  /** Redoes the step that was undone last. Returns its number; `null` if there is none. */
  redo(): number | null;

  /** The steps that can be undone, the latest first; at most 50. */
  readonly history: readonly DecisionStep[];

  /** The status of a lead. */
  status(leadId: string): LeadStatus;

  /** The status of a lead, or the review as a whole. For `useSyncExternalStore` and the like. */
  snapshot(leadId: string): LeadStatus;
  snapshot(): ReviewSnapshot;

  /**
   * Lays the decisions over a page: rows that were decided here get the status to show. A page that was read before a
   * decision never takes it back. Other rows, and a page without such rows, are returned as they are.
   */
  apply<P extends PageOfLeads<{ readonly lead_id: string | null }>>(page: P): P;

  /**
   * Runs a read that does not go through this workspace, such as a `fetch` of your own, so that the review knows when
   * it began. Calls of the workspace need no such help.
   *
   * @param read Resolves with a page, or with rows.
   */
  read<T>(read: () => Promise<T>): Promise<T>;

  /**
   * Sends failed and uncertain decisions again: of these leads, or without an argument of all. Also ends a pause.
   *
   * @throws {@link ArgumentError} if a lead has no id.
   */
  retry(): void;
  retry(leads: LeadToDecide | readonly LeadToDecide[]): void;

  /**
   * Gives up failed, uncertain and retried decisions: of these leads, or without an argument of all. Where the server may
   * have saved one, the previous status is sent.
   *
   * @throws {@link ArgumentError} if a lead has no id.
   */
  revert(): void;
  revert(leads: LeadToDecide | readonly LeadToDecide[]): void;

  /** Decisions on many leads, the oldest first. */
  readonly runs: readonly DecisionRun[];

  /** Number of leads whose decisions are on their way. */
  readonly pending: number;

  /** Calls `listener` after changes, once for all changes of a task. Returns a function that ends it. */
  subscribe(listener: () => void): () => void;

  /**
   * Sends now, which also ends a pause, and resolves when nothing is on its way. Decisions of a paused run are not
   * waited for.
   */
  flush(options?: FlushOptions): Promise<ReviewSnapshot>;

  /**
   * Ends the review. Requests in flight go on, and what they do not save stays in the browser for the next review, as do the
   * other decisions. If they cannot be kept ({@link ReviewSnapshot.isKept}), all are still sent, except those of a paused run. What
   * the review knows can still be read, so that components may render once more; changes throw a {@link WorkspaceError} whose code
   * is `disposed`.
   */
  dispose(): void;
}
