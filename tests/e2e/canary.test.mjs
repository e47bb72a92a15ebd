// The key is in one entry of the tab's storage and in the header of requests, and nowhere else that a page can keep or
// show something. Each surface is searched for the key's secret part.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { openSettings } from "./support/menu.mjs";
import { Service } from "./support/service.mjs";

after(closeBrowser);

// The entry that keeps the tab signed in when it is loaded again.
const OF_THE_KEY = /^lead-workspace\.key /;

// Everything that the page has kept or shows, by surface. A new surface is a new member.
async function surfaces(page) {
  const { sessionStorage: session, ...inPage } = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const caches = await globalThis.caches?.keys();
    return {
      sessionStorage: { ...sessionStorage },
      localStorage: { ...localStorage },
      databases,
      caches,
      cookies: document.cookie,
      name: window.name,
      address: location.href,
      history: history.state,
      document: document.documentElement.outerHTML,
      fields: Array.from(document.querySelectorAll("input, textarea"), (field) => field.value),
      // The browser keeps the address that was opened, with the key in its fragment, until the page is loaded again. A
      // page cannot clear that entry; only its own scripts, which may use the key, can read it.
      loaded: performance.getEntriesByType("resource").map((entry) => entry.name),
    };
  });
  const rest = Object.entries(session).filter(([name]) => !OF_THE_KEY.test(name));
  return { session: rest, ...inPage, own: Object.keys(session).filter((name) => OF_THE_KEY.test(name)) };
}

test("the key is in its own entry of the tab's storage, and on no other surface of the page", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t, { expected: [/500/] });
  const secret = service.key.split("_").at(-1);
  const seen = { console: [], addresses: [], bodies: [] };
  const responses = [];
  page.on("console", (message) => seen.console.push(message.text()));
  page.on("request", (request) => {
    seen.addresses.push(request.url().split("#")[0]);
    seen.bodies.push(request.postData() ?? "");
  });
  page.on("response", (response) => responses.push(response));
  const search = async (where) => {
    // Read here rather than as they arrive: the last would still be read when the page is closed.
    const headers = await Promise.all(responses.map((response) => response.allHeaders()));
    for (const [surface, value] of Object.entries({ ...(await surfaces(page)), ...seen, headers })) {
      assert.ok(!JSON.stringify(value ?? null).includes(secret), `${where}: the key is in ${surface}`);
    }
  };

  const leads = await LeadsPage.open(page, service.url);
  await search("the list");
  assert.equal((await surfaces(page)).own.length, 1, "the search would not find the key's entry");
  assert.ok(
    await page.evaluate((secret) => Object.values(sessionStorage).join().includes(secret), secret),
    "the canary is stored",
  );
  await leads.search.fill("a");
  await leads.settled();
  await search("a search");
  await openSettings(page);
  await search("the settings");
  await page.route("**/api/leads/query", (route) =>
    route.fulfill({ status: 500, json: { detail: "broken on purpose" } }),
  );
  await page.goto(`${service.origin}/`);
  await page.getByText(/broken on purpose/).first().waitFor();
  await search("an error");
  assert.ok(seen.addresses.length > 5 && responses.length > 5, "requests were recorded");
});
