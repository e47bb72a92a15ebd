"use client";

// Hooks for React 18 and later. They import neither the client nor the screen.

import { useCallback, useEffect, useMemo, useReducer, useSyncExternalStore } from "react";

import { EMPTY, IDLE, applied, snapshotOf, statusOf } from "./read-review.js";
import { LeadList, NOT_READ, keyOf } from "./lead-list.js";
import { retain, sharedReview } from "./shared-review.js";

export function useReview(workspace, options) {
  const [, renderAgain] = useReducer((count) => count + 1, 0);
  const review = workspace ? sharedReview(workspace, options) : null;
  useEffect(() => {
    if (!review) return undefined;
    const release = retain(review);
    // It was disposed of between a slow render and its commit.
    if (!release) renderAgain();
    return release ?? undefined;
  }, [review]);
  return review;
}

export function useLeadStatus(review, leadId) {
  return useStore(review, () => statusOf(review, leadId), () => IDLE);
}

export function useReviewSnapshot(review) {
  return useStore(review, () => snapshotOf(review), () => EMPTY);
}

export function useAppliedPage(review, page) {
  return useStore(review, () => applied(review, page), () => page);
}

export function useLeads(workspace, review, query) {
  const key = keyOf(query);
  const list = useMemo(() => new LeadList(workspace), [workspace]);
  useEffect(() => {
    list.read(key);
    return list.abort;
  }, [list, key]);
  const state = useSyncExternalStore(list.subscribe, list.state, () => NOT_READ);
  const page = useAppliedPage(review, state.page);
  // The effect comes after the render with the new query.
  const isLoading = state.isLoading || state.key !== key;
  const { error } = state;
  const { reload } = list;
  return useMemo(() => ({ page, error, isLoading, reload }), [page, error, isLoading, reload]);
}

function useStore(review, get, getOnServer) {
  const subscribe = useCallback((listener) => review?.subscribe(listener) ?? noop, [review]);
  return useSyncExternalStore(subscribe, get, getOnServer);
}

const noop = () => {};
