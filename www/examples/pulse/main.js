// The pulse of an account in another page, which is notified of the lead that the user wants to open.

import { Workspace } from "lead-workspace";
import "lead-workspace/ui";

const { baseUrl, apiKey } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const [select, title, pulse, status] = ["select", "h2", "account-pulse", '[role="status"]'].map((selector) =>
  document.querySelector(selector),
);

const workspace = await Workspace.create({ baseUrl, apiKey });
const { data: accounts } = await workspace.queryAccounts({ sort_by: "lead_count", page_size: 10 });
select.append(...accounts.map(({ id, name }) => new Option(name, id)));

const show = () => {
  title.textContent = select.selectedOptions[0].textContent;
  pulse.accountId = select.value;
};
select.addEventListener("change", show);
pulse.addEventListener("navigate", (event) => {
  status.textContent = `Lead to open: ${event.detail.view}`;
});
pulse.workspace = workspace;
show();
