// Every state of the leads page, by name, with the steps to reach it.

import { openMenu } from "./menu.mjs";
import { DetailsPane, answerLead, wholeLead } from "./details-pane.mjs";
import { answerStream, dot, line } from "./live.mjs";
import { json } from "./stage.mjs";
import { allSaved, expectEventually } from "./wait.mjs";

const QUERY = "**/api/leads/query";
const ONE_OR_MANY = /\/api\/leads(\/[^/?]+)?$/;

const tab = (name, after) => ({
  after,
  enter: async (stage) => {
    await stage.leads.tab(name).click();
    await stage.leads.settled();
  },
});

const opens = (key, name) => async (stage) => {
  await stage.open();
  await stage.leads.grid.focus();
  await stage.press(key);
  await stage.dialog(name);
};

async function pane(stage) {
  await stage.open();
  await stage.leads.grid.focus();
  await stage.press("j");
  await stage.press("Enter");
  const panel = stage.page.getByRole("complementary", { name: "Lead details" });
  await panel.locator('[class="middle"] h3').first().waitFor();
  await expectEventually("the details", async () => (await panel.getAttribute("aria-busy")) === "false");
}

async function failing(stage, answer) {
  await stage.open();
  await stage.answered(ONE_OR_MANY, "PATCH", answer);
  await stage.decide("a");
  await stage.leads.grid.getByRole("alert").first().waitFor({ state: "attached" });
}

// Opens the list while others change leads: what the first ones get, by kind.
async function changing(stage, change) {
  const { body } = await stage.service.call("POST", "/api/leads/query", {
    page_size: 5,
    filters: [{ field: "approval_status", operator: "eq", value: "pending_approval" }],
  });
  await answerStream(stage.page, change(body.data.map((lead) => lead.lead_id)));
  await stage.open();
}

const conflict = json(409, { detail: "Somebody else is changing it" });

// A state returns false if it does not exist on a phone. One with `after` starts from that state, and best follows it.
export const STATES = {
  list: (stage) => stage.open(),
  approved: tab("Approved", "list"),
  rejected: tab("Rejected", "approved"),
  filtered: tab("Filtered", "rejected"),
  all: tab("All", "filtered"),
  cursor: async (stage) => {
    await stage.open();
    await stage.leads.grid.focus();
    await stage.press("j");
  },
  selected: {
    after: "cursor",
    enter: async (stage) => {
      for (const key of ["x", "j", "x"]) await stage.press(key);
      await stage.page.getByText("2 selected").waitFor();
    },
  },
  "focus mode": async (stage) => {
    if (stage.phone) return false;
    await stage.open();
    await stage.leads.grid.focus();
    await stage.press("o");
    await stage.page.getByRole("complementary", { name: "Company" }).getByRole("listitem").first().waitFor();
    return undefined;
  },
  decided: async (stage) => {
    await stage.open();
    await stage.held(ONE_OR_MANY, "PATCH");
    await stage.decide("a");
    await stage.page.getByRole("status").getByText(/^Approved /).waitFor();
  },
  undone: {
    after: "decided",
    enter: async (stage) => {
      await stage.press("u");
      await stage.page.getByText(/^Undone: /).waitFor();
    },
  },
  busy: async (stage) => {
    await stage.open();
    await stage.held(QUERY);
    await stage.leads.tab("All").click();
    await expectEventually("the grid to be busy", async () =>
      (await stage.leads.grid.getAttribute("aria-busy")) === "true",
    );
  },
  "decided by others": async (stage) => {
    await changing(stage, (ids) => [
      { kind: "status", approval_status: "approved", count: 2, ids: [ids[0], ids[2]] },
      { kind: "status", approval_status: "rejected", count: 1, ids: [ids[1]] },
      { kind: "deleted", count: 1, ids: [ids[3]] },
    ]);
    await stage.leads.grid.locator('[data-by-others="true"]').first().waitFor();
  },
  "leads are new": async (stage) => {
    await changing(stage, () => [{ kind: "added", count: 1_204 }]);
    await line(stage.page).getByText("1,204 leads are new. Show them").waitFor();
  },
  reconnecting: async (stage) => {
    await stage.open();
    await dot(stage.page).waitFor({ state: "attached" });
    await stage.page.context().setOffline(true);
    await dot(stage.page).getByText("Reconnecting").waitFor({ state: "attached" });
  },
  skeleton: async (stage) => {
    await stage.held(QUERY);
    await stage.open("", { settled: false });
    await stage.page.locator(".skeletons").waitFor({ state: "attached" });
  },
  "no leads": async (stage) => {
    await stage.answered(QUERY, "POST", json(200, { data: [], total: 0, page: 1, page_size: 50 }));
    await stage.open("?tab=all", { settled: false });
    await stage.page.getByRole("heading", { name: "This workspace has no leads yet" }).waitFor();
  },
  "nothing pending": async (stage) => {
    await stage.answered(QUERY, "POST", json(200, { data: [], total: 0, page: 1, page_size: 50 }));
    await stage.open("", { settled: false });
    await stage.page.locator(".empty-state").getByRole("heading").waitFor();
  },
  "no search results": async (stage) => {
    await stage.open("?q=zzzzqq", { settled: false });
    await stage.page.locator(".empty-state").getByRole("heading").waitFor();
  },
  "search rejected": async (stage) => {
    await stage.open();
    await stage.answered(QUERY, "POST", json(422, { detail: [{ loc: ["body", "search"], msg: "no such words" }] }));
    await stage.leads.search.fill("nonsense");
    await stage.page.getByRole("alert").getByText("This search isn't accepted").waitFor();
  },
  "search too long": async (stage) => {
    await stage.open();
    await stage.leads.search.fill("a ".repeat(17));
    await stage.page.getByRole("search").getByRole("alert").waitFor();
  },
  chips: async (stage) => {
    await stage.open("?tab=all&icp_tier=A&icp_tier=B&where=title+is_set");
    if (!stage.phone) await stage.sidebar.chip("ICP tier A, B").waitFor();
  },
  "no filter results": async (stage) => {
    await stage.open("?tab=all&icp_tier=A&company_size=nobody", { settled: false });
    await stage.page.locator(".empty-state").getByRole("heading").waitFor();
  },
  facets: async (stage) => {
    await stage.open();
    if (stage.phone) await stage.page.getByRole("button", { name: /^Filters/ }).click();
    await stage.sidebar.expand("Industry");
    await stage.sidebar.facet("Industry").getByRole("checkbox").first().waitFor();
  },
  "filter builder": async (stage) => {
    await stage.open();
    if (stage.phone) await stage.page.getByRole("button", { name: /^Filters/ }).click();
    await stage.page.getByRole("button", { name: "Add a filter" }).first().click();
    await stage.page.getByRole("form", { name: "Filter", exact: true }).waitFor();
  },
  broken: async (stage) => {
    await stage.answered(QUERY, "POST", json(500, { detail: "broken" }));
    await stage.open("", { settled: false });
    await stage.page.getByRole("alert").getByRole("button", { name: "Retry" }).waitFor();
  },
  "broken later": async (stage) => {
    await stage.open();
    await stage.answered(QUERY, "POST", json(500, { detail: "broken" }));
    await stage.page.getByRole("button", { name: "Refresh" }).click();
    await stage.page.getByRole("alert").getByRole("button", { name: "Retry" }).waitFor();
  },
  "no key": async (stage) => {
    await stage.page.goto("about:blank");
    await stage.page.goto(`${stage.service.origin}/leads`);
    await stage.page.getByRole("heading", { name: "Where do I get a key?" }).waitFor();
  },
  "key refused": async (stage) => {
    await stage.answered(QUERY, "POST", json(401, { detail: "no such key" }));
    await stage.open("", { settled: false });
    await stage.page.getByRole("dialog").getByText("rejected the key").waitFor();
  },
  offline: async (stage) => {
    await stage.open();
    await stage.page.context().setOffline(true);
    await stage.page.getByText(/^Offline: /).waitFor();
  },
  limited: async (stage) => {
    await stage.open();
    await stage.answered(ONE_OR_MANY, "PATCH", json(429, { detail: "slow" }, { "retry-after": "25" }));
    await stage.decide("a");
    await stage.page.getByRole("timer").first().waitFor();
  },
  "not saved": (stage) => failing(stage, conflict),
  "uncertain": (stage) => failing(stage, json(500, { detail: "broken" })),
  "not confirmed": async (stage) => {
    await stage.open();
    await stage.answered(ONE_OR_MANY, "PATCH");
    await stage.decide("a");
    await stage.page.getByText("1 decision not saved yet").waitFor();
  },
  details: pane,
  "details, not saved": {
    after: "details",
    enter: async (stage) => {
      await stage.answered(ONE_OR_MANY, "PATCH", conflict);
      const panel = stage.page.getByRole("complementary", { name: "Lead details" });
      await panel.getByRole("button", { name: "Approve", exact: true }).click();
      await panel.getByRole("button", { name: "Retry" }).waitFor();
    },
  },
  "details, everything": async (stage) => {
    const { body } = await stage.service.call("POST", "/api/leads/query", { page_size: 1 });
    const id = body.data[0].lead_id;
    await answerLead(stage.page, id);
    await stage.answered(ONE_OR_MANY, "PATCH", conflict);
    await stage.open(`?lead=${encodeURIComponent(id)}`, { settled: !stage.phone });
    const pane = new DetailsPane(stage.page);
    await pane.shows(wholeLead(id).name);
    await expectEventually("all sections to be open", async () => {
      const shut = pane.panel.locator("details:not([open]) > summary");
      if ((await shut.count()) > 0) await shut.first().click();
      return (await shut.count()) === 0;
    });
    await pane.button("More").click();
  },
  "details, not found": async (stage) => {
    // On a phone, the details cover the list.
    await stage.open("?lead=nobody", { settled: !stage.phone });
    await stage.page.getByRole("heading", { name: "This lead is gone" }).waitFor();
  },
  "delete confirmation": async (stage) => {
    await stage.open();
    await stage.decide("Delete");
    await stage.page.getByRole("alertdialog").waitFor();
  },
  deleting: async (stage) => {
    await stage.open();
    await stage.answered(ONE_OR_MANY, "DELETE");
    await stage.decide("Delete");
    await stage.page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await stage.page.getByText(/^Deleting /).waitFor();
  },
  "bulk change running": async (stage) => {
    await stage.open("?tab=all");
    await stage.held(ONE_OR_MANY, "PATCH");
    await stage.selectAll();
    await stage.press("Shift+A");
    await stage.page.getByRole("region", { name: "Progress" }).getByRole("button", { name: "Pause" }).waitFor();
  },
  "bulk change paused": {
    after: "bulk change running",
    enter: async (stage) => {
      await stage.page.getByRole("button", { name: "Pause", exact: true }).click();
      await stage.page.getByText("Paused. Unsent changes are waiting.").waitFor();
    },
  },
  "bulk change, failures": async (stage) => {
    await stage.open("?tab=all");
    await stage.answered(ONE_OR_MANY, "PATCH", conflict);
    await stage.selectAll();
    await stage.press("Shift+A");
    await stage.page.getByText("Some changes weren't saved").waitFor();
  },
  "bulk change, failed leads": {
    after: "bulk change, failures",
    enter: async (stage) => {
      await stage.page.getByRole("button", { name: /^\d+ not saved$/ }).click();
      await stage.dialog(/^Not saved: /);
      await stage.page.getByRole("listitem").getByRole("link").first().waitFor();
    },
  },
  palette: opens("Control+k", "Commands"),
  "palette, no match": {
    after: "palette",
    enter: async (stage) => {
      await stage.page.keyboard.type("zzzz");
      await stage.page.getByText("No matches.").waitFor();
    },
  },
  "workspace menu": async (stage) => {
    await stage.open();
    await openMenu(stage.page);
  },
  "row menu": async (stage) => {
    await stage.open();
    await stage.leads.rows.first().click({ button: "right" });
    await stage.page.getByRole("menu").waitFor();
  },
  help: opens("?", "Keyboard shortcuts"),
  "help, keys to add": {
    after: "help",
    enter: async (stage) => {
      await stage.page.getByRole("button", { name: "Add a key to another command" }).click();
    },
  },
  "key recording": async (stage) => {
    await opens("?", "Keyboard shortcuts")(stage);
    await stage.page.getByRole("dialog").getByRole("button", { name: /^Approve: (?!add)/ }).click();
  },
  columns: async (stage) => {
    if (stage.phone) return false;
    await opens("c", "Columns")(stage);
    return true;
  },
  views: opens("v", "Views"),
  "view renaming": {
    after: "views",
    enter: async (stage) => {
      await stage.page.getByLabel("Name of this view").fill("Mine");
      await stage.press("Enter");
      await stage.page.getByRole("link", { name: "Mine" }).waitFor();
      await stage.page.getByRole("button", { name: "Rename Mine" }).click();
    },
  },
  sorted: async (stage) => {
    if (stage.phone) return false;
    await stage.open();
    await stage.leads.header("Name").getByRole("button").click();
    await stage.leads.settled();
    return true;
  },
  "recent, none": opens("h", "Recent decisions"),
  "recent, saved": async (stage) => {
    await stage.open();
    await stage.decide("a");
    for (const key of ["r", "k", "k", "p"]) await stage.press(key);
    await allSaved(stage.page);
    await stage.press("h");
    await stage.dialog("Recent decisions");
  },
  recent: async (stage) => {
    await stage.open();
    await stage.held(ONE_OR_MANY, "PATCH");
    await stage.decide("a");
    await stage.press("r");
    for (const key of ["j", "x", "j", "x", "Shift+R"]) await stage.press(key);
    await stage.press("h");
    await stage.dialog("Recent decisions");
  },
};
