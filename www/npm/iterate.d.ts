// The rows and the pages of a query.

import type { Page } from "./types.js";

/**
 * The rows of a query, one by one. The query and the options are read when it is created; later changes to them have
 * no effect.
 *
 * After an error the iteration may go on: the next `next()`, or another `for await` over the same object, requests the
 * page that failed again, and no row is lost or repeated. An abort, a disposal and refused arguments are final: every
 * `next()` rejects. `return()` and leaving a loop with `break` abort the request under way, and do not wait for it.
 */
export interface RowIterator<Row> extends AsyncGenerator<Row, void, undefined> {
  /**
   * Number of rows of the query, from the latest page that reported it; null before the first page, and while no page
   * has reported it.
   */
  readonly total: number | null;
  /**
   * Returns the rows page by page. Both iterators are at the same place of the query. If single rows were read before,
   * the first page is what is left of the current one: `data` has only the rows that were not read yet, and
   * `rowErrors` has those of the whole page. The page and its size are parameters of the query; there are no options.
   */
  byPage(): AsyncGenerator<PageOfRows<Row>, void, undefined>;
}

/**
 * A page of {@link RowIterator.byPage}. `data` has only rows that no earlier page had, and may be empty.
 */
export interface PageOfRows<Row> extends Page<Row> {
  /**
   * The number of the page, from 1. Not every page follows the one before it: when rows have left the query, an earlier
   * page is read again.
   */
  page: number;
  /** Total number of rows of the query; if this page did not report it, from an earlier page. */
  total: number | null;
}
