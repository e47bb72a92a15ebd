// The options and events of the review.

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

// @ts-expect-error: a workspace has its own base URL
mountLeadReview(place, { workspace, baseUrl: "https://workspace.example" });
// @ts-expect-error: unknown theme
mountLeadReview(place, { theme: "pink" });
// @ts-expect-error: a selector is not an element
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
// @ts-expect-error: the class is undefined on a server
new LeadReviewElement();
// @ts-expect-error: the id is a string
element.addEventListener("decision", (event) => event.detail.leadId.toFixed());

const pulse = mountAccountPulse(place, {
  workspace,
  accountId: "account_7",
  onNavigate: ({ view }) => review.navigate(view),
});
pulse.show("account_8");
const shown: Promise<void> = pulse.ready;
// @ts-expect-error: the account is missing
mountAccountPulse(place, { workspace });
// @ts-expect-error: a pulse has no decisions
mountAccountPulse(place, { accountId: "account_7", onDecision: () => {} });
const panel: AccountPulseElement = document.createElement("account-pulse");
panel.accountId = undefined;
panel.addEventListener("navigate", (event) => event.detail.view.length);

export { found, ready, shown };
