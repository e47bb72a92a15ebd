// The options and events of the review.

import type { Workspace } from "lead-workspace";
import {
  type AccountPulseElement,
  type Appearance,
  type Decision,
  type DetailsSection,
  LeadReviewElement,
  mountAccountPulse,
  mountLeadReview,
  type ReviewAction,
  type ReviewColumn,
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
const appearance: Appearance = {
  theme: "system",
  accent: "#fc0",
  fontSize: 14,
  borderRadius: "0.25rem",
  dark: { accent: "gold", surface: "#111" },
};
mountLeadReview(place, { workspace, appearance });
// @ts-expect-error: unknown member
mountLeadReview(place, { appearance: { acent: "#fc0" } });
// @ts-expect-error: a theme has only colors of its own
mountLeadReview(place, { appearance: { dark: { fontSize: 14 } } });
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
panel.appearance = appearance;
panel.appearance = undefined;
panel.addEventListener("navigate", (event) => event.detail.view.length);

// Values that may be missing.
declare const text: string | undefined;
mountLeadReview(place, { baseUrl: text, apiKey: text, view: text, hostName: text, columns: undefined, onOpen: undefined });
mountAccountPulse(place, { accountId: "account_7", baseUrl: text, theme: undefined, appearance: undefined, onNavigate: undefined });
mountLeadReview(place, { appearance: { accent: text, fontFamily: text, rowHeight: undefined, dark: { surface: text }, light: undefined } });

// What a page adds.
const owner: ReviewColumn = {
  id: "owner",
  label: "Owner",
  width: 160 as number | undefined,
  align: "end",
  value: async (lead) => lead.lead_id ?? document.createElement("span"),
};
const send: ReviewAction = {
  id: "send",
  label: "Send",
  key: "Y",
  for: "leads",
  async run(ids, { signal, progress }) {
    signal.throwIfAborted();
    progress(ids.length / 2);
  },
};
const notes: DetailsSection = (lead) => (lead.name === null ? null : { node: document.createTextNode(lead.name), destroy() {} });
const extended = mountLeadReview(place, {
  hostName: "Harbour",
  columns: [owner, { id: "text", label: "Text", value: ({ name }) => name }] as const,
  actions: [send],
  details: notes,
  onSelection: ({ list, ids }) => [list, ...ids].length,
  onOpen: ({ leadId }) => leadId?.length,
  onBulk: ({ status, updated, failed, uncertain }) => [status, ...updated, ...failed, ...uncertain].length,
});
extended.refreshColumns();
extended.element.columns = undefined;
extended.element.refreshColumns();
element.addEventListener("selection", (event) => event.detail.ids.length);
element.addEventListener("open", (event) => event.detail.leadId);
element.addEventListener("bulk", (event) => event.detail.updated);
// @ts-expect-error: an object is neither text nor node
const wrong: ReviewColumn = { id: "wrong", label: "Wrong", value: () => ({}) };
// @ts-expect-error: unknown target
mountLeadReview(place, { actions: [{ ...send, for: "list" }] });
// @ts-expect-error: a column needs a function
mountLeadReview(place, { columns: [{ id: "none", label: "None" }] });
// @ts-expect-error: a section is a node
mountLeadReview(place, { details: () => "text" });

export { found, ready, shown, wrong };
