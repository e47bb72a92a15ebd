// What a page may give to the review, and what it gets.

import type { Workspace } from "lead-workspace";
import {
  type AccountPulseElement,
  type Decision,
  LeadReviewElement,
  mountAccountPulse,
  mountLeadReview,
  type View,
} from "lead-workspace/ui";

declare const workspace: Workspace;
declare const place: HTMLElement;

const review = mountLeadReview(place, {
  workspace,
  view: "leads?tab=approved",
  theme: "dark",
  onDecision: ({ leadId, status, previous }) => [leadId, status, previous].map((text) => text.length),
  onNavigate: ({ view }) => review.navigate(view),
});
const ready: Promise<void> = review.ready;
review.unmount();
mountLeadReview(place);
mountLeadReview(place, { baseUrl: "https://workspace.example", apiKey: "lwk_…", tenantId: "t1" });

// @ts-expect-error: a workspace brings its own address
mountLeadReview(place, { workspace, baseUrl: "https://workspace.example" });
// @ts-expect-error: there is no such theme
mountLeadReview(place, { theme: "pink" });
// @ts-expect-error: a selector is no element
mountLeadReview("#place");

const element = document.createElement("lead-review");
element.workspace = workspace;
element.baseUrl = undefined;
element.addEventListener("decision", (event) => {
  const decision: Decision = event.detail;
  return decision.status;
});
element.addEventListener("navigate", function (event) {
  const view: View = event.detail.view;
  this.view = view;
});
element.addEventListener("click", (event) => event.clientX);
const found: LeadReviewElement | null = document.querySelector("lead-review");
if (LeadReviewElement) new LeadReviewElement().theme = "light";
// @ts-expect-error: on a server there is no class
new LeadReviewElement();
// @ts-expect-error: the event carries no number
element.addEventListener("decision", (event) => event.detail.leadId.toFixed());

const pulse = mountAccountPulse(place, {
  workspace,
  accountId: "account_7",
  onNavigate: ({ view }) => review.navigate(view),
});
pulse.show("account_8");
const shown: Promise<void> = pulse.ready;
// @ts-expect-error: which account?
mountAccountPulse(place, { workspace });
// @ts-expect-error: a pulse takes no decisions
mountAccountPulse(place, { accountId: "account_7", onDecision: () => {} });
const panel: AccountPulseElement = document.createElement("account-pulse");
panel.accountId = undefined;
panel.addEventListener("navigate", (event) => event.detail.view.length);

export { found, ready, shown };
