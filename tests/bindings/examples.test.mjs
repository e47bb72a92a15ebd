// The examples of the frameworks in Chromium, as users see them: a table of 50 leads. Decisions are shown at once,
// undone, and saved after a killed tab and after an outage.

import assert from "node:assert/strict";
import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { build, createServer } from "vite";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { afterTest } from "../e2e/support/cleanup.mjs";
import { Service } from "../e2e/support/service.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { project } from "../package/support/project.mjs";
import { serve } from "../package/support/site.mjs";

after(closeBrowser);

const EXAMPLES = join(import.meta.dirname, "..", "..", "www", "examples");
const MODULES = join(import.meta.dirname, "node_modules");

// The browser logs the response to the invalid key, and requests without a connection, as errors.
const REFUSED = /\b401\b/;
const OFFLINE = /ERR_INTERNET_DISCONNECTED/;

/** Copies an example to a project of its own, with the libraries of the tests. Returns its folder. */
async function copyOf(t, name) {
  const root = await project(t, { from: join(EXAMPLES, name) });
  const installed = await readdir(join(root, "node_modules"));
  for (const library of await readdir(MODULES)) {
    if (installed.includes(library) || library.startsWith(".")) continue;
    await symlink(join(MODULES, library), join(root, "node_modules", library));
  }
  return root;
}

/** Builds an example. Returns the origin of its page. */
async function publish(t, name) {
  const root = await copyOf(t, name);
  await build({ root, logLevel: "error", build: { target: "es2022" } });
  return serve(t, join(root, "dist"));
}

/** Starts an example in development mode. Returns the origin of its page. */
async function develop(t, name) {
  const root = await copyOf(t, name);
  const server = await createServer({ root, logLevel: "error", server: { host: "127.0.0.1", port: 0 } });
  afterTest(t, () => server.close());
  await server.listen();
  return `http://127.0.0.1:${server.httpServer.address().port}`;
}

/** The table of an example. */
class Table {
  constructor(page) {
    this.page = page;
    this.rows = page.getByRole("row");
    this.progress = page.getByRole("status");
  }

  async shows(count) {
    await expectEventually(`${count} rows`, async () => (await this.rows.count()) === count);
  }

  decide(index, action) {
    return this.rows.nth(index).getByRole("button", { name: new RegExp(`^${action} `) }).click();
  }

  status(index) {
    return this.rows.nth(index).getByRole("cell").first().innerText();
  }

  async showsStatus(index, status) {
    await expectEventually(`row ${index} to be ${status}`, async () => (await this.status(index)) === status);
  }

  async says(text) {
    await expectEventually(`"${text}"`, async () => (await this.progress.innerText()).trim() === text);
  }
}

const addressOf = (origin, service, apiKey = service.key) =>
  `${origin}/#${new URLSearchParams({ baseUrl: service.origin, apiKey })}`;

const saved = async (service, id, status) =>
  expectEventually(`${id} to be saved as ${status}`, async () => {
    const { body } = await service.call("GET", `/api/leads/${id}`);
    return body.approval_status === status;
  });

/** Ends the tab's process, without a chance to clean up. */
async function kill(page) {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  session.send("Page.crash").catch(() => {});
  await crashed;
  await page.close();
}

for (const [framework, name] of [["React", "react"], ["Vue", "vue"], ["Svelte", "svelte"]]) {
  test(`${framework}: decide, undo, kill the tab, decide offline, come back`, async (t) => {
    const origin = await publish(t, name);
    const service = await Service.start(t, { demo: 80, args: ["--allow-origin", origin] });
    const { body } = await service.call("POST", "/api/leads/query", { page_size: 50 });
    const undecided = body.data.flatMap((lead, row) => (lead.approval_status === "pending_approval" ? [row] : []));
    assert.ok(undecided.length >= 5, "the demo has too few undecided leads");
    const [first, second, third, fourth, fifth] = undecided;
    const isSaved = (row, status) => saved(service, body.data[row].lead_id, status);
    const address = addressOf(origin, service);
    const page = await openPage(t, { expected: [OFFLINE] });
    const context = page.context();
    await page.goto(address);
    let table = new Table(page);
    await table.shows(50);

    await table.decide(first, "Approve");
    await table.showsStatus(first, "approved");
    await isSaved(first, "approved");
    await table.says("All saved");

    await page.getByRole("button", { name: "Undo" }).click();
    await table.showsStatus(first, "pending_approval");
    await isSaved(first, "pending_approval");
    assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled());

    await context.setOffline(true);
    await table.decide(second, "Approve");
    await table.decide(second, "Reject");
    await table.decide(third, "Reject");
    await table.decide(third, "Approve");
    await table.says("2 on their way, offline");
    await kill(page);
    await context.setOffline(false);

    const tab = await context.newPage();
    await tab.goto(address);
    table = new Table(tab);
    await table.shows(50);
    await table.showsStatus(second, "rejected");
    await table.showsStatus(third, "approved");
    await isSaved(second, "rejected");
    await isSaved(third, "approved");
    await table.says("All saved");

    await context.setOffline(true);
    await table.decide(fourth, "Reject");
    await table.decide(fifth, "Approve");
    await table.showsStatus(fourth, "rejected");
    await table.showsStatus(fifth, "approved");
    await table.says("2 on their way, offline");
    await context.setOffline(false);
    await table.says("All saved");
    await isSaved(fourth, "rejected");
    await isSaved(fifth, "approved");
  });

  test(`${framework}: search, and an unknown key`, async (t) => {
    const origin = await publish(t, name);
    const service = await Service.start(t, { demo: 40, args: ["--allow-origin", origin] });
    const page = await openPage(t);
    await page.goto(addressOf(origin, service));
    await page.getByText("40 found").waitFor();
    await page.getByRole("searchbox", { name: "Search leads" }).fill("no such lead anywhere");
    await page.getByText("0 found").waitFor();
    assert.equal(await page.getByRole("row").count(), 0);

    const refused = await openPage(t, { expected: [REFUSED] });
    await refused.goto(addressOf(origin, service, "lwk_unknown_key"));
    await refused.getByRole("alert").getByText("The workspace rejected this key.").waitFor();
  });
}

// React mounts everything twice in development only.
test("React in StrictMode takes one slot, and loses no decision", async (t) => {
  const origin = await develop(t, "react");
  const service = await Service.start(t, { demo: 60, args: ["--allow-origin", origin] });
  const { body } = await service.call("POST", "/api/leads/query", { page_size: 50 });
  const page = await openPage(t);
  await page.goto(addressOf(origin, service));
  const table = new Table(page);
  await table.shows(50);
  const row = body.data.findIndex((lead) => lead.approval_status === "pending_approval");
  await table.decide(row, "Reject");
  await table.showsStatus(row, "rejected");
  await saved(service, body.data[row].lead_id, "rejected");
  await table.says("All saved");
  const slots = await page.evaluate(async () => {
    const { held, pending } = await navigator.locks.query();
    return [...held, ...pending].map(({ name }) => name).filter((name) => name.startsWith("lead-workspace.outbox"));
  });
  assert.equal(slots.length, 1, slots.join());
});
