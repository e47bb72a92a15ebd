// The stream of changes of a workspace.

import type { WorkspaceError } from "./errors.js";
import type { CallOptions } from "./options.js";
import type { Change } from "./types.js";

/**
 * An event of {@link Workspace.changes}. A later event of the workspace service may have a kind that is not listed here; it
 * is not returned.
 *
 * - `open`: the stream is connected, and tells what comes after `version`. The first event, and again after each
 *   interruption.
 * - `change`: what changed since the event before. Several changes may be in one event.
 * - `reset`: what happened until `version` is not known. Read everything anew; the stream goes on after it.
 */
export type ChangeEvent =
  | { kind: "open"; version: number }
  | { kind: "change"; version: number; changed_at: string | null; changes: Change[] }
  | { kind: "reset"; version: number };

/**
 * The connection of a stream. After `broken` it connects again by itself.
 *
 * `since` is when an open connection broke, in milliseconds since 1970, and null if there has not been one yet. `error` is
 * what happened last.
 */
export type StreamConnection =
  | { state: "open"; since: null; error: null }
  | { state: "broken"; since: number | null; error: WorkspaceError };

/**
 * Options of {@link Workspace.changes}. `timeoutMs` is the time until the response of a connection begins, 10 s by default.
 * There is no limit of attempts.
 */
export interface ChangesOptions extends Omit<CallOptions, "retries" | "deadlineMs" | "extraBody"> {
  /**
   * The version after which the stream starts, such as that of the last event that was handled. If it is no longer known,
   * the first event after `open` is a `reset`. Default: the present version.
   */
  since?: number | undefined;
  /** Called when the connection opens or breaks, and after each attempt to connect that failed. */
  onConnection?: ((connection: StreamConnection) => void) | undefined;
}
