import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

import { PAGE_SIZE } from "../api/queries";
import type { PageOptions } from "../api/queries";
import type { Page, QuerySpec } from "../api/types";

const pageOf = (index: number) => Math.floor(index / PAGE_SIZE) + 1;

/**
 * Returns the total row count, and the query whose rows should be on screen: the wanted one, or the previous one
 * until the first page of the wanted one has loaded.
 */
export function useListHead<T>(pageOptions: PageOptions<T>, wanted: QuerySpec) {
  const { data, isPending, isPlaceholderData, error } = useQuery({
    ...pageOptions(wanted, 1),
    placeholderData: keepPreviousData,
  });
  const [shown, setShown] = useState(wanted);
  if (shown !== wanted && !isPlaceholderData) setShown(wanted);
  return { total: data?.total ?? 0, shown, isPending, isStale: isPlaceholderData, error };
}

/** Fetches the pages that cover rows `first..last` and flattens what has arrived. */
export function usePageWindow<T>(pageOptions: PageOptions<T>, spec: QuerySpec, first: number, last: number) {
  const firstPage = pageOf(first);
  const pages = Array.from({ length: pageOf(last) - firstPage + 1 }, (_, offset) => firstPage + offset);
  const loaded = useQueries({
    queries: pages.map((page) => pageOptions(spec, page)),
    combine: combinePages<T>,
  });
  const itemAt = (index: number): T | undefined =>
    loaded.pages[pageOf(index) - firstPage]?.[index % PAGE_SIZE];
  return { items: loaded.items, itemAt, error: loaded.error };
}

// A stable reference, so that the result keeps its identity between renders.
function combinePages<T>(results: UseQueryResult<Page<T>>[]) {
  const pages = results.map((result) => result.data?.data);
  return {
    pages,
    items: pages.flatMap((page) => page ?? []),
    error: results.find((result) => result.error)?.error ?? null,
  };
}
