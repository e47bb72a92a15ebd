// The search box: the requests it sends, and its message for an invalid search.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

// Returns the text of an element's description.
const description = (box) =>
  box.evaluate((box) =>
    (box.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .filter(Boolean)
      .map((id) => document.getElementById(id).textContent)
      .join(" "),
  );

test("a refused search marks its box, and the reason is announced once", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/422/] });
  const leads = await LeadsPage.open(page, service.url);
  await page.route("**/api/leads/query", async (route) => {
    if (route.request().postDataJSON().search !== "nonsense") return route.fallback();
    const entry = { loc: ["body", "search"], msg: "no such words", type: "value_error", input: "", ctx: {} };
    await route.fulfill({ status: 422, json: { detail: [entry] } });
  });
  assert.equal(await leads.search.getAttribute("aria-invalid"), "false");
  await leads.search.fill("nonsense");
  await expectEventually("the box to be marked", async () => (await leads.search.getAttribute("aria-invalid")) === "true");
  assert.equal(await description(leads.search), "This search isn't accepted: no such words.");
  const alerts = page.getByRole("alert");
  await alerts.getByText("This search isn't accepted: no such words. Showing previous results.").waitFor();
  assert.equal(await alerts.count(), 1);
  assert.doesNotMatch(await page.locator("body").innerText(), /search:|body\./);
  assert.equal(await page.getByRole("button", { name: "Clear all" }).count(), 0, "there are no filters to clear");

  await leads.search.fill("a");
  await expectEventually("the box to be valid", async () => (await alerts.count()) === 0);
  assert.equal(await leads.search.getAttribute("aria-invalid"), "false");
  assert.equal(await description(leads.search), "");
});

test("a search that is too long is not sent, and the box shows why", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  const sent = [];
  page.on("request", (request) => {
    if (/leads\/query$/.test(request.url())) sent.push(request.postDataJSON().search ?? "");
  });
  await leads.search.fill("a ".repeat(17));
  const alert = page.getByRole("search").getByRole("alert");
  await alert.getByText("This search is too long. Use 16 words or fewer.").waitFor();
  assert.equal(await leads.search.getAttribute("aria-invalid"), "true");
  assert.match(await description(leads.search), /16 words/);
  await leads.search.press("Enter");
  await leads.search.fill("b");
  await expectEventually("another search", () => sent.includes("b"));
  assert.equal(await alert.count(), 0);
  assert.ok(sent.every((search) => search.length < 10), sent.join());
  assert.equal(await leads.search.getAttribute("maxlength"), "256");
});
