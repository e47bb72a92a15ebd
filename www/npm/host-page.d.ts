// What a page adds to the review that is mounted into it: columns, commands and a section of the details.

import type { LeadDetail, LeadListItem } from "./types.js";

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
  width?: number | undefined;
  /** Where the content is; `end` for numbers. Default: `start`. */
  align?: "start" | "end" | undefined;
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
  key?: string | undefined;
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
  hostName?: string | undefined;
  /** Columns of the list of leads. Keep the array, and the functions in it, while they stay the same. */
  columns?: readonly ReviewColumn[] | undefined;
  /** Commands. */
  actions?: readonly ReviewAction[] | undefined;
  /** A section in the details of a lead. */
  details?: DetailsSection | undefined;
}
