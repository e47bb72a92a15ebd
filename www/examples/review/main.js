// The whole review screen in a page of another product, which counts the decisions. The page's style sheet has the brand.

import { mountLeadReview } from "lead-workspace/ui";

const { baseUrl, apiKey } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const status = document.querySelector('[role="status"]');
let decisions = 0;

mountLeadReview(document.querySelector("main"), {
  baseUrl,
  apiKey,
  onDecision: ({ status: decision }) => {
    decisions += 1;
    status.textContent = `${decisions} decided, the last one ${decision}`;
  },
});
