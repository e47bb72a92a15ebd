// Bulk updates of leads.

import type { AnyWorkspaceError } from "./errors.js";
import type { CallOptions } from "./options.js";

/** The outcome of a bulk update, by ids of the leads. */
export interface BulkOutcome {
  /** Leads that were updated. */
  updated: string[];
  /** Leads that were certainly not updated, among them those that were not sent because of an abort. */
  failed: string[];
  /**
   * Leads that may have been updated: the response to their request never arrived, or the update was aborted before.
   * Updating them again is safe. Ids that the server does not know are in `failed`.
   */
  uncertain: string[];
  /**
   * Why leads are not in `updated`: one element per failed request, and one for the leads that were not sent before the
   * deadline. A chunk that is split has none of its own. Leads that are not in `updated` because of an abort are in none.
   */
  errors: BulkError[];
}

/** Leads of a bulk update that were not updated, or possibly not, for the same reason. */
export interface BulkError {
  /** The leads of the request, and those that were not sent because of it. */
  ids: string[];
  /** The reason. */
  error: AnyWorkspaceError;
}

/** Progress of a bulk update. */
export interface BulkProgress {
  /** Number of leads processed so far, with any outcome. */
  done: number;
  /** Total number of leads. */
  total: number;
  /** Number of leads that were updated. */
  updated: number;
  /** Number of leads that were certainly not updated. */
  failed: number;
  /** Number of leads that may have been updated. */
  uncertain: number;
  /** Why the leads of the last request were not updated, if they were not. */
  error?: AnyWorkspaceError;
}

/** A bulk update in progress. */
export interface BulkUpdate extends Promise<BulkOutcome> {
  /**
   * Resolves with the outcome, after an abort with that of what was done until then: the update itself rejects with the
   * signal's reason. If the signal was aborted before the call, all leads are in `failed`. Rejects only if an argument was
   * refused, the workspace was disposed of before the call, or the module crashed.
   */
  outcome(): Promise<BulkOutcome>;
}

/** Options of a bulk update. */
export interface BulkOptions extends CallOptions {
  /** Called after each request. */
  onProgress?: ((progress: BulkProgress) => void) | undefined;
  /**
   * Number of leads per request.
   * @defaultValue `100`
   */
  chunkSize?: number | undefined;
}
