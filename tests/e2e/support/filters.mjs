// Opens the leads page with filters, and reads the number of matching leads from the API and from the page.

import { openPage } from "./browser.mjs";
import { LeadsPage } from "./leads.mjs";
import { Service } from "./service.mjs";
import { Sidebar } from "./sidebar.mjs";
import { expectEventually } from "./wait.mjs";

export async function open(t, options = {}) {
  const service = await Service.start(t, { demo: 300, args: options.args ?? [] });
  const page = await openPage(t, options);
  const { origin, hash } = new URL(service.url);
  const leads = new LeadsPage(page);
  await page.goto(`${origin}/leads?tab=all${options.query ?? ""}${hash}`);
  if (!options.empty) await leads.settled();
  return { service, page, leads, sidebar: new Sidebar(page) };
}

// Returns the API's number of matching leads.
export async function total(service, ...filters) {
  const query = { filters, page_size: 1 };
  return (await service.call("POST", "/api/leads/query", query)).body.total;
}

export const isIn = (field, ...value) => ({ field, operator: "in", value });

// Waits until the page shows this number of leads, and of how many.
export async function expectLeft(page, count) {
  // An empty list shows no sort order.
  const order = count === 0 ? "$" : ", ";
  const text = new RegExp(`^${count.toLocaleString("en-GB")} of [\\d,]+ (pending|leads)${order}`);
  await expectEventually(`${text}`, async () => {
    const sums = await page.locator(".sum").allInnerTexts();
    return sums.some((sum) => text.test(sum));
  });
}

export const search = (page) => new URL(page.url()).searchParams;
