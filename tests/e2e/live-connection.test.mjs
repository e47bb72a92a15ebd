// The connection of the stream: the dot in the bar, outages, hidden pages, several tabs, and servers without a stream.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { decideAsOther, decidedByOther, dot, hide, isLive, openStreams, streams, withoutStream } from "./support/live.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const OUTAGE = [/ERR_/, /502/];

async function opened(t, { clock, prepare, ...options } = {}) {
  const service = await Service.start(t, { demo: 80 });
  const page = await openPage(t, options);
  if (clock) await page.clock.install();
  await prepare?.(page);
  const found = streams(page.context());
  const leads = await LeadsPage.open(page, service.url);
  await isLive(page);
  return { service, page, leads, found, ids: await leads.ids() };
}

test("after a restart of the service the stream goes on, and nothing was missed", async (t) => {
  const { service, page, leads, ids } = await opened(t, { expected: OUTAGE });
  await service.kill();
  await dot(page).getByText("Reconnecting", { exact: true }).waitFor();
  await service.restart();
  await decideAsOther(service, ids[1], "approved");
  await decidedByOther(leads, ids[1], "approved").waitFor();
  await dot(page).getByText("Live", { exact: true }).waitFor();
});

test("a page that slept while the service was restarted catches up", async (t) => {
  const { service, page, leads, ids } = await opened(t, { expected: OUTAGE });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  await service.kill();
  await service.restart();
  await decideAsOther(service, ids[1], "rejected");
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
  await decidedByOther(leads, ids[1], "rejected").waitFor();
  await isLive(page);
});

test("the dot says in words and shape whether the list is live, and offline it catches up", async (t) => {
  const { service, page, leads, ids } = await opened(t, { expected: OUTAGE });
  await dot(page).and(page.getByRole("status")).getByText("Live", { exact: true }).waitFor();
  assert.equal(await dot(page).getAttribute("title"), "Changes by others are shown as they happen");
  await page.context().setOffline(true);
  await dot(page).getByText("Reconnecting", { exact: true }).waitFor();
  await decideAsOther(service, ids[2], "rejected");
  await page.context().setOffline(false);
  await decidedByOther(leads, ids[2], "rejected").waitFor();
  await isLive(page);
});

test("a revoked key ends the stream, and another key resumes it", async (t) => {
  const service = await Service.start(t, { demo: 80 });
  const page = await openPage(t, { expected: [/401/] });
  const key = await service.createKey("Ada");
  const leads = await LeadsPage.open(page, `${service.origin}/#key=${key}`);
  await isLive(page);
  const [, id] = await leads.ids();
  await service.command("keys", "revoke", key.split("_")[1]);
  await dot(page).getByText("Not live", { exact: true }).waitFor({ state: "attached" });
  const dialog = page.getByRole("dialog");
  await dialog.getByText("rejected the key").waitFor();
  await dialog.getByLabel(/key/i).first().fill(service.key);
  await page.keyboard.press("Enter");
  await isLive(page);
  await decideAsOther(service, id, "approved");
  await leads.waitForStatus(id, "approved");
});

test("a hidden page stops after a minute, and catches up when it is shown", async (t) => {
  const { service, page, leads, found, ids } = await opened(t, { clock: true });
  await openStreams(found, 1);
  await hide(page, true);
  await page.clock.runFor(50_000);
  await decideAsOther(service, ids[0], "rejected");
  await decidedByOther(leads, ids[0], "rejected").waitFor();
  await page.clock.runFor(15_000);
  await openStreams(found, 0);
  await decideAsOther(service, ids[1], "rejected");
  await hide(page, false);
  await decidedByOther(leads, ids[1], "rejected").waitFor();
  await openStreams(found, 1);
});

test("tabs share one stream and show the same decisions, and the next one takes it over", async (t) => {
  const { service, page, leads, found, ids } = await opened(t);
  const second = await page.context().newPage();
  const others = await LeadsPage.open(second, service.url);
  await isLive(second);
  await openStreams(found, 1);
  assert.equal(found.open()[0].page, page);
  await decideAsOther(service, ids[1], "approved");
  await decidedByOther(leads, ids[1], "approved").waitFor();
  await decidedByOther(others, ids[1], "approved").waitFor();
  // A decision of the reviewer in another tab is not someone else's.
  const rejected = async () => Number((await others.tab("Rejected").innerText()).replaceAll(/\D/g, ""));
  const before = await expectEventually("the count", rejected);
  await leads.decide(leads.row(ids[2]), "Reject");
  await others.waitForStatus(ids[2], "rejected");
  await expectEventually("the tab to count it", async () => (await rejected()) === before + 1);
  await decideAsOther(service, ids[3], "approved");
  await decidedByOther(others, ids[3], "approved").waitFor();
  assert.equal(await others.row(ids[2]).getAttribute("data-by-others"), "false");
  await page.close();
  await openStreams(found, 1);
  assert.equal(found.open()[0].page, second);
  await decideAsOther(service, ids[5], "rejected");
  await decidedByOther(others, ids[5], "rejected").waitFor();
});

test("where the browser refuses locks, each tab has a stream", async (t) => {
  const refuse = () => {
    navigator.locks.request = () => Promise.reject(new DOMException("no storage", "SecurityError"));
  };
  const { service, page, found } = await opened(t, { prepare: (page) => page.context().addInitScript(refuse) });
  const other = await page.context().newPage();
  await LeadsPage.open(other, service.url);
  await isLive(other);
  await openStreams(found, 2);
});

test("before a server without a stream there is no dot, and it is asked once", async (t) => {
  const service = await Service.start(t, { demo: 80 });
  const page = await openPage(t, { expected: [/404/] });
  const asked = await withoutStream(page);
  const leads = await LeadsPage.open(page, service.url);
  await expectEventually("the request", () => asked.length === 1);
  const [id] = await leads.ids();
  await leads.decide(leads.row(id), "Approve");
  await leads.waitForStatus(id, "approved");
  await allSaved(page);
  await hide(page, true);
  await hide(page, false);
  await page.getByRole("button", { name: "Refresh" }).click();
  await leads.row(id).waitFor({ state: "detached" });
  assert.equal(await dot(page).count(), 0);
  assert.equal(asked.length, 1);
});
