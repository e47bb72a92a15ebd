// The npm package in a page without a bundler: the client, decisions, the review and the pulse.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { LeadsPage } from "../e2e/support/leads.mjs";
import { Service } from "../e2e/support/service.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { project } from "../package/support/project.mjs";
import { serve } from "../package/support/site.mjs";
import { closeBrowser, openPage } from "./support/page.mjs";
import { statusOf } from "./support/stage.mjs";

after(closeBrowser);

const ENTRY = "./node_modules/lead-workspace";
// What browsers say about a refused key, and about a server that is away.
const REFUSED = [/401/];
const AWAY = [/NetworkError|Could not connect|due to access control|Cross-Origin Request|Failed to load resource/i];

// A page with this script, which has `options` from the address.
const html = (script, body = "") => `<!doctype html><html lang="en"><meta charset="utf-8"><title>A product</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self' http://127.0.0.1:*; base-uri 'none'">
<link rel="icon" href="data:,">${body}<script type="module" src="${script}"></script></html>`;
const OPTIONS = "const options = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));\n";

// Serves a project with the package and these files, and opens it with a service.
async function open(t, { script, body, imports, expected, parameters = () => ({}) }) {
  const folder = await project(t, imports ? { imports } : {});
  if (script) {
    await writeFile(join(folder, "page.js"), OPTIONS + script);
    await writeFile(join(folder, "index.html"), html("./page.js", body));
  }
  const origin = await serve(t, folder);
  const service = await Service.start(t, { demo: 80, args: ["--allow-origin", origin] });
  const page = await openPage(t, { expected });
  const options = { baseUrl: service.origin, apiKey: service.key, ...(await parameters(service)) };
  const address = `${origin}/#${new URLSearchParams(options)}`;
  await page.goto(address);
  return { service, page, address };
}

test("the client reads, decides and reports a refused key, in the page and in a Worker", async (t) => {
  const { service, page } = await open(t, { imports: `${ENTRY}/index.js`, expected: REFUSED });
  const output = page.locator("output:not(:empty)");
  await output.waitFor({ state: "attached" });
  const results = JSON.parse(await output.textContent());
  for (const { approved, total, refused } of [results.page, results.worker]) {
    assert.equal(total, 80);
    assert.equal(await statusOf(service, approved), "approved");
    assert.deepEqual(refused, { typed: true, status: 401, operation: "queryLeads" });
  }
});

test("the inline module runs without a second file", async (t) => {
  const { page } = await open(t, { imports: `${ENTRY}/inline.js`, expected: REFUSED });
  await page.locator("output:not(:empty)").waitFor({ state: "attached" });
  const files = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.deepEqual(files.filter((name) => name.endsWith(".wasm")), []);
});

test("a request is aborted, and all pages are read one after the other", async (t) => {
  const { page } = await open(t, {
    script: `import { Workspace } from "${ENTRY}/index.js";
const ws = await Workspace.create(options);
const abort = new AbortController();
const aborted = ws.queryLeads({}, { signal: abort.signal }).catch((error) => error.name);
abort.abort();
let count = 0;
for await (const lead of ws.leads({ page_size: 20 })) count += lead.lead_id ? 1 : 0;
globalThis.outcome = { aborted: await aborted, count };
`,
  });
  const outcome = await expectEventually("the outcome", () => page.evaluate(() => window.outcome));
  assert.deepEqual(outcome, { aborted: "AbortError", count: 80 });
});

// A page with a review as `review`, and the pending leads that it read first.
const DECISIONS = `import { Workspace } from "${ENTRY}/index.js";
const ws = await Workspace.create(options);
const review = ws.review();
const filters = [{ field: "approval_status", operator: "eq", value: "pending_approval" }];
const page = await ws.queryLeads({ page_size: 10, filters });
Object.assign(globalThis, { review, ids: page.data.map((lead) => lead.lead_id) });
`;

const ready = (page) =>
  expectEventually("the review", () => page.evaluate(() => window.ids && window.review.snapshot().isKept));

test("decisions are kept while the server is away, and saved by the next visit", async (t) => {
  const { service, page, address } = await open(t, { script: DECISIONS, expected: AWAY });
  await ready(page);
  const ids = await page.evaluate(() => window.ids);
  await service.kill();
  await page.evaluate(() => void window.review.decide(window.ids.slice(0, 2), "approved"));
  await expectEventually("two to save", () => page.evaluate(() => window.review.pending === 2));
  await page.goto("about:blank");
  await service.restart(["--allow-origin", new URL(address).origin]);
  await page.goto(address);
  await ready(page);
  for (const id of ids.slice(0, 2)) {
    await expectEventually(`${id} to be approved`, async () => (await statusOf(service, id)) === "approved");
  }
});

test("another tab hears what was decided and undone", async (t) => {
  const { service, page, address } = await open(t, { script: DECISIONS });
  await ready(page);
  const other = await page.newPage();
  await other.goto(address);
  await ready(other);
  const id = await page.evaluate(async () => {
    window.review.decide(window.ids[0], "approved");
    await window.review.flush();
    return window.ids[0];
  });
  const hears = (status) =>
    expectEventually(status, async () => (await other.evaluate((id) => window.review.status(id).shown, id)) === status);
  await hears("approved");
  await page.evaluate(() => void window.review.undo());
  await hears("pending_approval");
  await expectEventually("the undo", async () => (await statusOf(service, id)) === "pending_approval");
});

test("the review as an element: decisions by key and mouse, details, dialogs, and events for the page", async (t) => {
  const { service, page } = await open(t, {
    body: '<lead-review view="leads?tab=pending"></lead-review>',
    script: `import "${ENTRY}/ui.js";
globalThis.events = [];
const review = document.querySelector("lead-review");
review.style.height = "90vh";
review.addEventListener("decision", ({ detail }) => globalThis.events.push(detail.leadId));
Object.assign(review, options);
`,
  });
  const leads = new LeadsPage(page);
  await leads.settled();
  const ids = await leads.ids();
  await leads.decide(leads.row(ids[1]), "Reject");
  await leads.waitForStatus(ids[1], "rejected");
  await leads.grid.focus();
  await page.keyboard.press("j");
  const id = await leads.grid.locator('[data-cursor="true"]').getAttribute("data-lead-id");
  await page.keyboard.press("a");
  await leads.waitForStatus(id, "approved");
  await expectEventually("both decisions in the page", async () =>
    (await page.evaluate(() => window.events)).join() === [ids[1], id].join());
  await expectEventually("both in the service", async () =>
    (await statusOf(service, id)) === "approved" && (await statusOf(service, ids[1])) === "rejected");
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Lead details" }).getByRole("heading", { level: 2 }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});

test("the colors of a brand reach the review", async (t) => {
  const { page } = await open(t, {
    body: "<section></section>",
    script: `import { mountLeadReview } from "${ENTRY}/ui.js";
const section = document.querySelector("section");
section.style.height = "90vh";
const appearance = { accent: "#0f6b5c", surface: "#fdfaf3", borderRadius: 2, fontFamily: "Georgia" };
globalThis.review = mountLeadReview(section, { ...options, theme: "light", appearance });
`,
  });
  const leads = new LeadsPage(page);
  await leads.settled();
  const [font, corner] = await leads.search.evaluate((node) => {
    const { fontFamily, borderTopLeftRadius } = getComputedStyle(node);
    return [fontFamily.split(",")[0], borderTopLeftRadius];
  });
  assert.deepEqual([font, corner], ["Georgia", "2px"]);
  await page.evaluate(() => window.review.unmount());
  await leads.grid.waitFor({ state: "detached" });
});

test("the pulse as an element, which says what is to be opened", async (t) => {
  const pulseOf = async (service) => {
    const query = { sort_by: "lead_count", page_size: 20 };
    const { body } = await service.call("POST", "/api/accounts/query", query);
    for (const { id } of body.data) {
      const { body: pulse } = await service.call("GET", `/api/accounts/${id}/pulse`);
      if (pulse.best_signal?.lead_id) return { accountId: id, lead: pulse.best_signal.lead_id, name: pulse.best_signal.lead_name };
    }
    throw new Error("no signal in the demo");
  };
  let wanted;
  const { page } = await open(t, {
    body: "<account-pulse></account-pulse>",
    script: `import "${ENTRY}/ui.js";
const pulse = document.querySelector("account-pulse");
pulse.addEventListener("navigate", ({ detail }) => (globalThis.view = detail.view));
Object.assign(pulse, options);
`,
    parameters: async (service) => {
      wanted = await pulseOf(service);
      return { accountId: wanted.accountId };
    },
  });
  const panel = page.getByRole("region", { name: "Pulse" });
  await panel.getByRole("img", { name: /^Funnel: / }).waitFor();
  await panel.getByRole("link", { name: wanted.name }).first().click();
  await expectEventually("the event", async () => (await page.evaluate(() => window.view)) === `leads?lead=${wanted.lead}`);
});
