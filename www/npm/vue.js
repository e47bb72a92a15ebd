// Composables for Vue 3.3 and later. They import neither the client nor the screen.

import {
  computed,
  getCurrentInstance,
  onBeforeMount,
  onScopeDispose,
  onServerPrefetch,
  shallowRef,
  toValue,
  watch,
} from "vue";

import { applied, snapshotOf, statusOf } from "./read-review.js";
import { LeadList, keyOf } from "./lead-list.js";
import { retain, sharedReview } from "./shared-review.js";

export function useReview(workspace, options) {
  const review = sharedReview(workspace, options);
  atEnd(retain(review));
  return review;
}

export function useLeadStatus(review, leadId) {
  return useStore(review, () => statusOf(review, toValue(leadId)));
}

export function useReviewSnapshot(review) {
  return useStore(review, () => snapshotOf(review));
}

export function useAppliedPage(review, page) {
  return useStore(review, () => applied(review, toValue(page)));
}

export function useLeads(workspace, review, query) {
  const list = new LeadList(workspace);
  const state = useStore(list, list.state);
  const key = computed(() => keyOf(toValue(query)));
  const page = useAppliedPage(review, () => state.value.page);
  inBrowser(() => watch(key, () => list.read(key.value), { immediate: true }));
  onScopeDispose(list.abort);
  return {
    page,
    error: computed(() => state.value.error),
    isLoading: computed(() => state.value.isLoading || state.value.key !== key.value),
    reload: list.reload,
  };
}

/** Returns the value as a ref that follows the store. Its getter may use other refs. */
function useStore(store, get) {
  const version = shallowRef(0);
  if (store) atEnd(store.subscribe(() => (version.value += 1)));
  return computed(() => (version.value, get()));
}

function atEnd(release) {
  onScopeDispose(release);
  // A server does not end the scopes of what it rendered.
  if (getCurrentInstance()) onServerPrefetch(release);
}

/** Components read in the browser only; a scope without a component reads at once. */
function inBrowser(start) {
  if (getCurrentInstance()) onBeforeMount(start);
  else start();
}
