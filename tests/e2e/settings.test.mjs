// The settings: connecting to a workspace and diagnosing failures, several workspaces, and signing out. Keys must not
// leak.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { closeBrowser, DESKTOP, openPage, PHONE } from "./support/browser.mjs";
import { afterTest } from "./support/cleanup.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { openSettings as settings, signIn, signInPage } from "./support/menu.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const field = (page, name) => page.getByRole("textbox", { name });
const key = (page) => page.locator(".settings").getByLabel("API key");
const button = (page, name) => page.getByRole("button", { name, exact: true });
const verdict = (page) => page.locator(".verdict");

// Opens the form of a row.
const change = (page, row) => page.getByRole("button", { name: `: ${row}` }).click();

// Returns everything in local storage. The tab's session storage is separate.
const kept = (page) => page.evaluate(() => JSON.stringify({ ...localStorage }));
const inTab = (page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));

async function elsewhere(page, base, theKey) {
  if ((await button(page, "Change: Address").count()) > 0) await change(page, "Address");
  await page.getByText("Another address").click();
  await field(page, "Address").fill(base);
  await key(page).fill(theKey);
}

async function says(page, ...words) {
  await button(page, "Test connection").click();
  for (const word of words) await verdict(page).getByText(word).first().waitFor();
}

// Starts a server that is not a workspace, or that refuses this page.
async function odd(t, answer) {
  const server = createServer(answer);
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  afterTest(t, async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

test("a connection test shows what is wrong and what to do", async (t) => {
  const service = await Service.start(t, { demo: 20, args: ["--allow-connect", "any"] });
  const wall = await odd(t, (_, response) => response.end("{}"));
  const web = await odd(t, (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    response.setHeader("content-type", "text/html");
    response.end("<h1>Welcome</h1>");
  });
  const page = await openPage(t, { expected: [/./] });
  await LeadsPage.open(page, service.url);
  await settings(page);
  await expectEventually("a focus", () => page.evaluate(() => document.activeElement.tagName !== "BODY"));
  await button(page, "Test now").click();
  await page.getByText(/The address and the key are correct\. 20 leads/).waitFor();
  await change(page, "Address");
  await says(page, "Connected", /The address and the key are correct\. 20 leads/);
  await key(page).fill("lwk_not_this");
  await says(page, "The key is not accepted", /Copy the key again/);
  await key(page).fill("two words");
  await says(page, "Nothing was sent", /contains a space/);

  await elsewhere(page, "", "lwk_any");
  await says(page, "Nothing was sent", /address is missing/);
  await elsewhere(page, wall, "lwk_any");
  await says(page, "The server does not allow this page", new RegExp(`--allow-origin ${service.origin}`));
  // Another service of ours, which answers pages of this origin only at /health.
  const closed = await Service.start(t, { demo: 1 });
  await elsewhere(page, closed.origin, closed.key);
  await says(page, "The server does not allow this page", new RegExp(`--allow-origin ${service.origin}`));
  await elsewhere(page, web, "lwk_any");
  await says(page, "There is no workspace at this address");
  await elsewhere(page, "http://127.0.0.1:9", "lwk_any");
  await says(page, "Nothing responds at this address", /whether the server runs/);
  await elsewhere(page, "https://workspace.example", "lwk_any");
  await page.context().setOffline(true);
  await says(page, "This computer is offline");
  await page.context().setOffline(false);
  for (const [status, words] of [
    [403, "The key may not read this workspace"],
    [404, "There is no workspace at this address"],
    [503, "The server reports an error"],
  ]) {
    await page.route("https://workspace.example/**", (route) =>
      route.fulfill({
        status,
        json: { detail: "no" },
        headers: { "access-control-allow-origin": "*", "access-control-allow-headers": "*" },
      }),
    );
    await says(page, words);
  }
  assert.ok(!(await kept(page)).includes("lwk_"));
});

test("a key is sent to another address only if the server allows it", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  let asked = 0;
  const other = await odd(t, (_, response) => {
    asked += 1;
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    response.end("{}");
  });
  const page = await openPage(t, { expected: [/./], violations: [/connect-src|Refused to connect/] });
  // A link received from someone else.
  await page.goto(`${service.origin}/leads?base=${encodeURIComponent(other)}`);
  await signInPage(page).getByText(other).waitFor();
  await signIn(page, service.key);
  await page.getByText("This page may not connect to this address").waitFor();
  await page.getByText(/Nothing was sent.*--allow-connect/).waitFor();
  await settings(page);
  await elsewhere(page, other, service.key);
  await says(page, "This page may not connect to this address", /Nothing was sent.*--allow-connect/);
  assert.equal(asked, 0);
});

test("another workspace has its own leads and outbox, and switching back works", async (t) => {
  const first = await Service.start(t, { demo: 30, args: ["--allow-connect", "any"] });
  const second = await Service.start(t, { demo: 40, args: ["--allow-origin", first.origin] });
  const page = await openPage(t, { expected: [/PATCH|ERR_FAILED|Failed to load/] });
  const sent = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) sent.push(request);
  });
  const leads = await LeadsPage.open(page, first.url);
  await leads.tab("All").getByText("30").waitFor();

  // A decision that cannot be sent stays queued.
  await page.route("**/api/leads*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.fallback(),
  );
  await page.route("**/api/leads/*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.fallback(),
  );
  const id = (await leads.ids())[0];
  await leads.decide(leads.row(id), "Approve");
  await expectEventually("the decision to be stored", async () => (await kept(page)).includes(id));

  await settings(page);
  await elsewhere(page, second.origin, second.key);
  await field(page, "Display name (optional)").fill("The second");
  await page.getByRole("checkbox", { name: /^Keep the key/ }).uncheck();
  await button(page, "Connect").click();
  await leads.settled();
  await leads.tab("All").getByText("40").waitFor();
  assert.ok(page.url().includes("base="), page.url());
  assert.ok(!page.url().includes("lwk_"));
  for (const request of sent) {
    const theirs = request.url().startsWith(second.origin);
    assert.equal((await request.headerValue("authorization")).includes(second.key), theirs);
    if (theirs) assert.ok(!(request.postData() ?? "").includes(id), "no decision of the first");
  }
  const all = [await kept(page), await inTab(page)];
  assert.ok(!all.join("").includes(second.key), "a typed key is in memory only");
  assert.ok(all[0].includes("The second") && !all[0].includes("lwk_"));

  // Back returns to the first workspace's settings, then to its leads.
  await page.goBack();
  await page.waitForURL((url) => url.pathname === "/settings" && !url.searchParams.has("base"));
  await page.getByText("The second").waitFor();
  await page.goBack();
  await leads.tab("All").getByText("30").waitFor();

  // Reconnects to the first workspace with the key from its link: the queued decision is now sent.
  await page.unrouteAll();
  await settings(page);
  await page.getByText("The second").waitFor();
  await change(page, "Address");
  await page.getByText("This server", { exact: true }).first().click();
  await key(page).fill(first.key);
  await button(page, "Connect").click();
  await leads.tab("All").getByText("30").waitFor();
  await expectEventually("the decision to arrive", async () => {
    const { body } = await first.call("GET", `/api/leads/${id}`);
    return body.approval_status === "approved";
  });
  await settings(page);
  await button(page, "Open The second").click();
  await signInPage(page).waitFor();
});

test("a typed key is kept in the tab unless that is turned off, and signing out deletes it", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  await page.goto(service.origin);
  const leads = new LeadsPage(page);
  const enter = async (keep) => {
    const checkbox = signInPage(page).getByRole("checkbox", { name: /^Keep it in this tab/ });
    assert.equal(await checkbox.isChecked(), true, "on by default");
    if (!keep) await checkbox.uncheck();
    await signIn(page, service.key);
    await leads.settled();
  };
  await enter(false);
  assert.ok(!`${await kept(page)}${await inTab(page)}`.includes(service.key));
  await page.reload();
  await signInPage(page).waitFor();
  await enter(true);
  assert.ok((await inTab(page)).includes(service.key));
  assert.ok(!(await kept(page)).includes(service.key));
  await page.reload();
  await leads.settled();

  await settings(page);
  await button(page, "Sign out…").click();
  const question = page.getByRole("dialog", { name: "Sign out" });
  await question.waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await expectEventually("the focus to return", async () => (await focused()) === "Sign out…");
  await button(page, "Sign out…").click();
  await question.getByRole("button", { name: "Sign out", exact: true }).click();
  await signInPage(page).waitFor();
  const everywhere = `${await kept(page)}${await inTab(page)}${page.url()}`;
  assert.ok(!everywhere.includes(service.key) && !everywhere.includes("lwk_"));
  await page.reload();
  await signInPage(page).waitFor();
});

test("the settings show what is in force, and one form is open at a time", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t, { expected: [/401/] });
  await LeadsPage.open(page, service.url);
  await settings(page);
  const { host } = new URL(service.origin);
  const main = page.getByRole("main");
  await main.getByText(`${host} · this server`).waitFor();
  const [shown, secret] = [service.key.slice(0, 8), service.key.split("_").at(-1)];
  await main.getByText(`${shown}…`).waitFor();
  assert.ok(!(await page.content()).includes(secret), "the key itself is not on the page");

  await change(page, "Display name");
  const name = field(page, "Display name");
  await expectEventually("the focus in the field", () => name.evaluate((input) => input === document.activeElement));
  await change(page, "Key");
  assert.equal(await name.count(), 0, "one form at a time");
  await page.keyboard.press("Escape");
  await expectEventually("the focus to return", () =>
    button(page, "Replace: Key").evaluate((node) => node === document.activeElement),
  );

  await change(page, "Display name");
  await name.fill("  Northmark Sales ");
  await page.keyboard.press("Enter");
  await button(page, "Northmark Sales, menu").waitFor();
  await page.reload();
  await button(page, "Northmark Sales, menu").waitFor();

  await change(page, "Key");
  await key(page).fill("two words");
  await page.keyboard.press("Enter");
  await main.getByRole("alert").getByText(/contains a space/).waitFor();
  await key(page).fill("lwk_wrong_key");
  await button(page, "Use this key").click();
  await main.getByText("The key is not accepted").waitFor();
  await main.getByText("lwk_wron…").waitFor();
  await change(page, "Key");
  await key(page).fill(service.key);
  await button(page, "Use this key").click();
  await main.getByText(/The address and the key are correct/).waitFor();
});

test("links lead to the sections of the settings, also on a phone", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  await LeadsPage.open(page, service.url);
  await settings(page);
  const links = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
  const address = page.url();
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    assert.equal(await links.first().getAttribute("aria-current"), "true");
    for (const link of await links.all()) {
      await link.click();
      const heading = page.getByRole("heading", { level: 2, name: await link.innerText(), exact: true });
      await expectEventually("the section in view", async () => {
        const { y } = await heading.boundingBox();
        return y >= 0 && y < viewport.height;
      });
    }
    assert.equal(await links.last().getAttribute("aria-current"), "true");
    assert.equal(page.url(), address);
    await page.getByRole("main").evaluate((main) => main.scrollTo(0, 0));
    await expectEventually("the first section", async () => (await links.first().getAttribute("aria-current")) === "true");
  }
});

test("signing out with unsent decisions asks for confirmation", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t, { expected: [/PATCH|ERR_FAILED|Failed to load/] });
  const leads = await LeadsPage.open(page, service.url);
  const isPatch = (route) => route.request().method() === "PATCH";
  await page.route(/\/api\/leads/, (route) => (isPatch(route) ? route.abort() : route.fallback()));
  const id = (await leads.ids())[0];
  await leads.decide(leads.row(id), "Reject");
  await expectEventually("the decision to be stored", async () => (await kept(page)).includes(id));
  await settings(page);
  await button(page, "Sign out…").click();
  const question = page.getByRole("dialog", { name: "Sign out" });
  await question.getByText(/1 decision is not saved yet/).waitFor();
  await question.getByRole("checkbox", { name: "Discard 1 decision" }).check();
  await question.getByRole("button", { name: "Sign out", exact: true }).click();
  await signInPage(page).waitFor();
  assert.ok(!(await kept(page)).includes(id), await kept(page));
});
