// States of the other pages: accounts, portfolio, insights, import, settings, scoring. By name, with the steps to reach them.

import { AccountsPage } from "./accounts.mjs";
import { DetailsPane } from "./details-pane.mjs";
import { PULSES } from "./pulse.mjs";
import { halfOfTheIndustries, pendingLeads, decideEarlier } from "./suggestions.mjs";

const button = (stage, name) => stage.page.getByRole("button", { name, exact: true });
const heading = (stage, name) => stage.page.getByRole("heading", { level: 2, name, exact: true }).waitFor();

async function accounts(stage, query = "") {
  await stage.visit(`/accounts${query}`);
  const page = new AccountsPage(stage.page);
  await page.grid.waitFor();
  return page;
}

// Opens the details of the account with the most leads. Returns the first of them.
async function account(stage) {
  const { body } = await stage.service.call("POST", "/api/accounts/query", { sort_by: "lead_count", page_size: 1 });
  const [{ id, name }] = body.data;
  await stage.visit(`/accounts?account=${encodeURIComponent(id)}`);
  await stage.page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
}

async function portfolio(stage, query = "") {
  await stage.visit(`/portfolio${query}`);
  await stage.page.locator("[data-account-id]").first().waitFor();
  await stage.page.getByRole("status").filter({ hasText: "pulses loaded" }).waitFor({ state: "detached" });
}

async function insights(stage) {
  await stage.visit("/insights");
  await stage.page.getByRole("region", { name: "Score and decision" }).getByRole("img").waitFor();
}

async function importPage(stage, name, text) {
  await stage.visit("/import");
  const input = stage.page.getByLabel("Choose a file", { exact: true });
  await input.waitFor({ state: "attached" });
  if (name) await input.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
}

const LEADS = "Name;Firma;Schuhgröße\nAna Lindqvist;Acme;38\n;;40";

async function settings(stage) {
  await stage.visit("/settings");
  await stage.page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
}

// Answers the test of a connection, and starts it.
async function tested(stage, answer) {
  await settings(stage);
  if (answer) await stage.page.route("**/api/**", (route) => route.fulfill(answer));
  await button(stage, "Change: Address").click();
  await button(stage, "Test connection").click();
  await stage.page.locator(".verdict").getByText(/./).first().waitFor();
}

// Selects two leads and asks to score them. The upstream answers with this job.
async function scoring(stage, job) {
  await stage.open();
  await stage.leads.grid.focus();
  for (const key of ["j", "x", "j", "x"]) await stage.press(key);
  await stage.page.route("**/api/leads/score", (route) => route.fulfill(job));
  await stage.page.route("**/api/jobs/*", (route) =>
    route.fulfill({ json: { job_id: "job-1", status: "running", progress: 0.45 } }),
  );
  await button(stage, "Score selected").click();
  await stage.page.getByRole("alertdialog").getByRole("heading").waitFor();
}

// Answers the question of `scoring`, and opens the list of jobs.
async function confirmed(stage) {
  await stage.page.getByRole("alertdialog").getByRole("button", { name: "Score", exact: true }).click();
  const tray = stage.page.getByRole("region", { name: "Jobs" });
  await tray.waitFor();
  const head = tray.getByRole("button").first();
  if ((await head.getAttribute("aria-expanded")) === "false") await head.click();
}

// Opens the pending leads with stored decisions on 100 leads, two of them unusual. The leads stay decided, so that
// later calls store the same ones.
async function learned(stage) {
  stage.learned ??= (await pendingLeads(stage.service, 1_000)).slice(0, 100);
  const approves = halfOfTheIndustries(stage.learned);
  const slips = stage.learned.filter((_, at) => at % 50 === 3);
  await decideEarlier(stage.service, stage.page, stage.learned, (lead) => approves(lead) !== slips.includes(lead));
  await stage.open();
  await stage.page.getByRole("button", { name: "Order by likelihood" }).waitFor();
}

const STARTED = { json: { job_id: "job-1", workflow_id: "w", status: "running" } };

export const AREA_STATES = {
  accounts: async (stage) => (await accounts(stage)).settled(),
  "accounts, selected": {
    after: "accounts",
    enter: async (stage) => {
      const page = new AccountsPage(stage.page);
      await page.rows.first().getByRole("checkbox").click();
      await page.selectionBar.waitFor();
    },
  },
  "accounts, filter": async (stage) => {
    await (await accounts(stage)).settled();
    if (stage.phone) {
      await button(stage, "Filters").click();
      await stage.dialog("Filters");
    } else {
      await button(stage, "Add a filter").click();
      await stage.page.getByRole("form", { name: "Filter", exact: true }).waitFor();
    }
  },
  "accounts, no filter results": async (stage) => {
    await accounts(stage, "?where=lead_count+gte+1&list_id=nowhere");
    await stage.page.getByText(/excludes all results/).waitFor();
  },
  account,
  "account, not saved": async (stage) => {
    await account(stage);
    const details = stage.page.getByRole("region", { name: "Account details" });
    await stage.answered(/\/api\/leads(\/[^/?]+)?$/, "PATCH", { status: 422, json: { detail: "no" } });
    await details.getByRole("button", { name: /^Reject / }).first().click();
    await details.getByRole("alert").first().waitFor();
  },
  portfolio,
  "portfolio, in groups": (stage) => portfolio(stage, "?group=industry&sort=conversations"),
  "portfolio, past the last page": async (stage) => {
    await stage.visit("/portfolio?page=900");
    await heading(stage, "No accounts on this page");
  },
  "portfolio, loading": async (stage) => {
    await stage.held(PULSES);
    await stage.visit("/portfolio");
    await stage.page.getByRole("status").filter({ hasText: "0 of 50 pulses loaded" }).waitFor();
  },
  "portfolio, no results": async (stage) => {
    await portfolio(stage);
    await stage.page.getByRole("searchbox").fill("no such account anywhere");
    await heading(stage, "No accounts match “no such account anywhere”");
  },
  "portfolio, failed": async (stage) => {
    await stage.page.route(PULSES, (route) => route.fulfill({ status: 500, json: { detail: "out of order" } }));
    await portfolio(stage);
    await stage.page.getByRole("alert").getByText("The service failed").first().waitFor();
  },
  insights,
  "insights, tables": {
    after: "insights",
    enter: async (stage) => {
      const switches = stage.page.getByRole("button", { name: "Show as table" });
      for (const one of await switches.all()) await one.click();
    },
  },
  "insights, loading": async (stage) => {
    await stage.held("**/api/leads/facets", "POST");
    await stage.visit("/insights");
    await stage.page.locator(".differences").waitFor();
  },
  "insights, failed": async (stage) => {
    await stage.answered("**/api/leads/facets", "POST", { status: 400, json: { detail: "no" } });
    await stage.visit("/insights");
    await stage.page.getByRole("alert").waitFor();
  },
  "insights, no decisions": async (stage) => {
    await stage.visit("/insights?q=zzzzqq");
    await heading(stage, "No decisions in this view yet");
  },
  "insights, not counted": async (stage) => {
    await stage.answered("**/api/leads/facets", "POST", { status: 405, json: { detail: "no" } });
    await stage.visit("/insights");
    await heading(stage, "This server cannot count decisions by value");
  },
  import: async (stage) => {
    await importPage(stage);
    await heading(stage, "Import leads");
  },
  "import, refused": async (stage) => {
    await importPage(stage, "array.json", "[]");
    await stage.page.getByRole("alert").waitFor();
  },
  "import, columns": async (stage) => {
    await importPage(stage, "leads.csv", LEADS);
    await heading(stage, "leads.csv");
  },
  "import, done": {
    after: "import, columns",
    enter: async (stage) => {
      await button(stage, "Import").click();
      await heading(stage, "leads.csv is imported");
    },
  },
  "import, running": async (stage) => {
    await stage.held("**/import?*");
    await importPage(stage, "leads.csv", LEADS);
    await heading(stage, "leads.csv");
    await button(stage, "Import").click();
    await heading(stage, "Importing");
  },
  settings,
  "settings, name": {
    after: "settings",
    enter: (stage) => button(stage, "Change: Display name").click(),
  },
  "settings, key": {
    after: "settings, name",
    enter: async (stage) => {
      await button(stage, "Cancel").click();
      await button(stage, "Replace: Key").click();
    },
  },
  "settings, connected": (stage) => tested(stage),
  "settings, not connected": (stage) => tested(stage, { status: 500, json: { detail: "broken" } }),
  "sign out": async (stage) => {
    await settings(stage);
    await button(stage, "Sign out…").click();
    await stage.dialog("Sign out");
  },
  "suggestions, ordered": async (stage) => {
    await learned(stage);
    await button(stage, "Order by likelihood").click();
    await stage.page.getByText(/most likely approvals first\.$/).waitFor();
    await stage.leads.settled();
  },
  "suggestions": {
    after: "suggestions, ordered",
    enter: async (stage) => {
      await stage.leads.grid.focus();
      for (const key of ["j", "Enter"]) await stage.page.keyboard.press(key);
      await new DetailsPane(stage.page).section("Suggestion").waitFor();
    },
  },
  "suggestions, settings": async (stage) => {
    await learned(stage);
    await settings(stage);
    await stage.page.getByText("Decisions to check").waitFor();
    await stage.page.getByText("Loading…").first().waitFor({ state: "detached" });
  },
  "suggestions, forget?": {
    after: "suggestions, settings",
    enter: async (stage) => {
      await button(stage, "Forget my decisions…").click();
      await stage.page.getByRole("alertdialog").getByRole("heading").waitFor();
    },
  },
  "suggestions, none yet": async (stage) => {
    await learned(stage);
    await stage.page.evaluate(() => localStorage.removeItem("lead-workspace.suggestions decisions "));
    await settings(stage);
    await stage.page.getByText(/0 so far/).waitFor();
  },
  "score?": (stage) => scoring(stage, STARTED),
  "scoring": {
    after: "score?",
    enter: async (stage) => {
      await confirmed(stage);
      await stage.page.getByText(/45 %/).first().waitFor();
    },
  },
  "scoring, not started": async (stage) => {
    await scoring(stage, { status: 403, json: { detail: "no access" } });
    await confirmed(stage);
    await stage.page.getByText(/Not started, nothing was scored/).first().waitFor();
  },
  "scoring, uncertain": async (stage) => {
    await scoring(stage, { status: 502, json: { detail: "broken" } });
    await confirmed(stage);
    await stage.page.getByText(/may or may not have started/).first().waitFor();
  },
};

// States without user action, in which nothing has the focus.
export const AREA_UNTOUCHED = [
  "accounts",
  "accounts, no filter results",
  "account",
  "portfolio",
  "portfolio, in groups",
  "portfolio, past the last page",
  "portfolio, loading",
  "portfolio, failed",
  "insights",
  "insights, loading",
  "insights, failed",
  "insights, no decisions",
  "insights, not counted",
  "import",
  "settings",
];
