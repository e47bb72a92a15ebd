// Types that several responses share, and types that crates/api does not describe.

/**
 * A value whose shape the contract leaves open. `Shape` is what the workspace service returns; other
 * upstreams may return anything, so check the value before use:
 * `typeof value === "object" && value !== null && !Array.isArray(value)`.
 */
export type Open<Shape> = Shape | string | number | boolean | null | unknown[];

/** An object that the contract does not specify further. */
export interface FreeObject {
  [name: string]: unknown;
}

/** A row that could not be read, or only in part. The other rows of its page are not affected. */
export interface RowError {
  /** Its index in the page as received, from 0. */
  index: number;
  /** Where the problem is, and what was expected there. */
  reason: string;
  /** The row as received. */
  raw: unknown;
  /**
   * Whether `data` contains the row nevertheless, with malformed parts null or left out. Not if it
   * has no id.
   */
  kept: boolean;
}

/** A page of rows. */
export interface Page<Row> {
  /** The rows that could be read, in order. */
  data: Row[];
  /** Total number of rows of the query; null also if the value in the response is not valid. */
  total: number | null;
  /** Whether another page follows. */
  has_more: boolean | null;
  /** The page number, from 1. */
  page: number | null;
  /** Rows per page. */
  page_size: number | null;
  /** The rows that could not be read, or only in part. */
  rowErrors: RowError[];
  /** Problems of the page itself, e.g. `total: expected an integer from 0, got a string`. */
  problems: string[];
}

/**
 * An element of a facet, as returned by the workspace service: a string, or an object like this one. `facetOptions`
 * reads both.
 */
export interface FacetOption extends FreeObject {
  /** The value for a filter. If it is an id, the member has another name, e.g. `signal_id`. */
  value?: string | null;
  /** The value to display. If it is a name, the member has another name, e.g. `signal_name`. */
  label?: string | null;
  /** Number of leads with this value. */
  count?: number | null;
}

/** The state of a job. `state` and `progress` are normalized across upstreams. */
export interface Job {
  /** The id of the job. */
  job_id: string | null;
  /** The id of its workflow. */
  workflow_id: string | null;
  /** The kind of work, e.g. `score_leads`. */
  kind: string | null;
  /** The state in the upstream's own word. */
  status: string | null;
  /** The state. An unknown word counts as running. */
  state: "running" | "succeeded" | "failed" | "cancelled";
  /**
   * The progress from 0 to 1, if known. A bare 1 may mean 100 % or 1 %: the value is null until the
   * job has succeeded.
   */
  progress: number | null;
  /** The result of the job. */
  result: unknown;
  /** Why it failed. */
  error: unknown;
  /** When it was requested, ISO 8601. */
  created_at: string | null;
  /** When it last changed, ISO 8601. */
  updated_at: string | null;
}
