// The bindings with the types of the frameworks: results, arguments that may be missing, and mistakes.

import { QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { createQuery } from "@tanstack/svelte-query";
import { useInfiniteQuery as useInfiniteVueQuery, useQuery as useVueQuery } from "@tanstack/vue-query";
import type { LeadListItem, LeadStatus, Page, Review, Workspace } from "lead-workspace";
import * as react from "lead-workspace/react";
import * as svelte from "lead-workspace/svelte";
import { leadQueries } from "lead-workspace/tanstack";
import * as vue from "lead-workspace/vue";
import { get, writable } from "svelte/store";
import { ref, shallowRef } from "vue";

declare const workspace: Workspace;
declare const maybe: Workspace | null | undefined;
declare const page: Page<LeadListItem>;

/** Fails to compile unless both types are the same. */
const same = <One, Other>(_: [One] extends [Other] ? ([Other] extends [One] ? true : never) : never) => {};

// React

same<ReturnType<typeof react.useLeadStatus>, LeadStatus>(true);
export const review: Review = react.useReview(workspace, { persist: false });
export const later: Review | null = react.useReview(maybe);
// @ts-expect-error: there may be no review yet
export const now: Review = react.useReview(maybe);
// @ts-expect-error: unknown option
react.useReview(workspace, { key: "a" });
react.useLeadStatus(later, page.data[0]?.lead_id);
react.useLeads(maybe, null);
// @ts-expect-error: unknown parameter
react.useLeads(workspace, review, { pageSize: 10 });
export const applied: Page<LeadListItem> = react.useAppliedPage(review, page);
export const none: Page<LeadListItem> | undefined = react.useAppliedPage(review, undefined as typeof page | undefined);

// Vue

const id = ref<string | null>(null);
same<ReturnType<typeof vue.useLeadStatus>["value"], LeadStatus>(true);
vue.useLeadStatus(review, id);
vue.useLeads(workspace, review, () => ({ search: id.value }));
// @ts-expect-error: unknown parameter
vue.useLeads(workspace, review, { pageSize: 10 });
// @ts-expect-error: the workspace must exist
vue.useReview(maybe);
export const rows: LeadListItem[] = vue.useAppliedPage(review, shallowRef(page)).value.data;
// @ts-expect-error: a number is no page
vue.useAppliedPage(review, 7);

// Svelte

export const status: LeadStatus = get(svelte.leadStatus(review, "lead-1"));
export const list: LeadListItem[] | undefined = get(svelte.leads(workspace, review, writable({ page: 2 }))).page?.data;
export const laid: Page<LeadListItem> = get(svelte.appliedPage(review, writable(page)));
// @ts-expect-error: a store has no value
svelte.leadStatus(review, "lead-1").value;
// @ts-expect-error: unknown parameter
svelte.leads(workspace, review, { pageSize: 10 });

// TanStack Query

const queries = leadQueries(workspace, { review: later });
const client = new QueryClient();
export const fetched: Promise<Page<LeadListItem>> = client.fetchQuery(queries.leads());
export const name: string | null | undefined = useQuery(queries.lead("lead-1")).data?.name;
export const pages: Page<LeadListItem>[] | undefined = useInfiniteQuery(queries.infiniteLeads()).data?.pages;
export const size: number | null | undefined = useVueQuery(() => queries.accounts()).data.value?.page_size;
export const vuePages: LeadListItem[] | undefined = useInfiniteVueQuery(queries.infiniteLeads()).data.value?.pages[0]?.data;
export const found: LeadListItem[] | undefined = createQuery(() => queries.leads({ page: 2 })).data?.data;
// @ts-expect-error: unknown parameter
queries.leads({ pageSize: 10 });
// @ts-expect-error: a page is no lead
useQuery(queries.leads()).data?.name;
