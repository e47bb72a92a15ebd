// The best leads that wait for a decision, with two buttons for each.

import { AuthError, Workspace } from "lead-workspace";

const { baseUrl, apiKey } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const list = document.querySelector("ul");
const status = document.querySelector('[role="status"]');

try {
  const workspace = await Workspace.create({ baseUrl, apiKey });
  const { data, total } = await workspace.queryLeads({
    filters: [{ field: "approval_status", operator: "eq", value: "pending_approval" }],
    sort_by: "icp_score",
    sort_dir: "desc",
    page_size: 10,
  });
  status.textContent = `The best ${data.length} of ${total}`;
  list.append(...data.map((lead) => row(workspace, lead)));
} catch (error) {
  status.setAttribute("role", "alert");
  status.textContent =
    error instanceof AuthError ? "The workspace rejected this key." : error.message;
}

function row(workspace, lead) {
  const item = document.createElement("li");
  const text = document.createElement("div");
  const detail = document.createElement("small");
  detail.textContent = [lead.headline, lead.current_account?.name].filter(Boolean).join(" · ");
  text.append(lead.name ?? "Unnamed", detail);
  const decide = (label, decision) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.setAttribute("aria-label", `${label} ${lead.name}`);
    button.onclick = async () => {
      button.disabled = true;
      try {
        const updated = await workspace.updateLead(lead.lead_id, decision);
        item.replaceChildren(text, updated.approval_status);
      } catch (error) {
        button.disabled = false;
        detail.textContent = `Not saved: ${error.message}`;
      }
    };
    return button;
  };
  item.append(text, decide("Approve", "approved"), decide("Reject", "rejected"));
  return item;
}
