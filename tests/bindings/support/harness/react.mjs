// The hooks in components, for React.

import { StrictMode, Suspense, createElement, memo, useEffect } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";

import { useLeadStatus, useLeads, useReview, useReviewSnapshot } from "../../../../www/npm/react.js";
import { textOf } from "./text.mjs";

export { StrictMode, Suspense, createElement, createRoot, hydrateRoot, renderToString, useEffect };
export { useAppliedPage, useLeadStatus, useLeads, useReview, useReviewSnapshot } from "../../../../www/npm/react.js";

export function App({ workspace, options, query, leadId, seen, handles }) {
  const review = useReview(workspace, options);
  const snapshot = useReviewSnapshot(review);
  const leads = useLeads(workspace, review, query);
  Object.assign(handles, { review, reload: leads.reload });
  return createElement(
    "div",
    null,
    createElement("pre", null, textOf({ snapshot, ...leads })),
    createElement(Status, { review, leadId, seen }),
  );
}

const Status = memo(({ review, leadId, seen }) => {
  const { shown } = useLeadStatus(review, leadId);
  seen.push(shown);
  return createElement("b", null, shown);
});

export const mount = (target, props) => mountOf(App, target, props);

/** Mounts `<lead-review>` alone. */
export const mountElement = (target, props) => mountOf("lead-review", target, props);

function mountOf(type, target, props) {
  const root = createRoot(target);
  const set = (next) => root.render(createElement(type, (props = { ...props, ...next })));
  set({});
  return { set, unmount: () => root.unmount() };
}

export const render = (props) => renderToString(createElement(App, props));
