// What others do to the leads of a service, and what a page shows of it.

import { expectEventually } from "./wait.mjs";

const CHANGES = /\/api\/leads\/changes(\?|$)/;

// Decides as someone else: outside the page.
export async function decideAsOther(service, id, status) {
  const { status: code } = await service.call("PATCH", `/api/leads/${encodeURIComponent(id)}`, { approval_status: status });
  if (code !== 200) throw new Error(`the decision was answered with ${code}`);
}

// The dot in the bar.
export const dot = (page) => page.locator(".live");

// Waits until the page follows the changes of others.
export async function isLive(page) {
  await page.locator('.live[data-connection="live"]').waitFor({ state: "attached" });
}

// The row of a lead that someone else decided.
export const decidedByOther = (leads, id, status) =>
  leads.row(id).and(leads.page.locator(`[data-by-others="true"][data-status="${status}"]`));

// The line above the list.
export const line = (page) => page.locator(".live-line").getByRole("button");

// Collects the requests for the stream of all pages of a context, with whether they are still open.
export function streams(context) {
  const all = [];
  context.on("request", (request) => {
    if (CHANGES.test(request.url())) all.push({ request, page: request.frame().page(), isOpen: true });
  });
  const end = (request) => {
    for (const stream of all) if (stream.request === request) stream.isOpen = false;
  };
  context.on("requestfinished", end);
  context.on("requestfailed", end);
  const open = () => all.filter((stream) => stream.isOpen && !stream.page.isClosed());
  return { all, open };
}

// Waits until so many streams are open.
export const openStreams = (found, count) =>
  expectEventually(`${count} open streams`, () => found.open().length === count);

// Answers as a server without a stream does. Returns the requests for it.
export async function withoutStream(page) {
  const asked = [];
  await page.route(CHANGES, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ status: 404, contentType: "application/json", body: '{"detail":"no such lead"}' });
  });
  return asked;
}

// Lets a test hold the stream of a page that is opened after this: what the service sends waits until it is let go.
export async function holdableStream(page) {
  await page.addInitScript((changes) => {
    const request = window.fetch;
    const state = { text: "", isHeld: false, letGo: () => {} };
    let letGo = Promise.resolve();
    window.streamOfChanges = state;
    state.hold = () => {
      state.isHeld = true;
      letGo = new Promise((resolve) => (state.letGo = resolve));
    };
    window.fetch = async (input, init) => {
      const response = await request(input, init);
      if (!new RegExp(changes).test(response.url) || !response.body) return response;
      const decoder = new TextDecoder();
      const gate = new TransformStream({
        async transform(chunk, out) {
          if (state.isHeld) state.text += decoder.decode(chunk);
          await letGo;
          out.enqueue(chunk);
        },
      });
      return new Response(response.body.pipeThrough(gate), response);
    };
  }, CHANGES.source);
  return {
    hold: () => page.evaluate(() => window.streamOfChanges.hold()),
    letGo: () => page.evaluate(() => window.streamOfChanges.letGo()),
    // Waits until the service has sent a text that is held.
    has: (text) => page.waitForFunction((text) => window.streamOfChanges.text.includes(text), text),
  };
}

// Sets whether the page is hidden, as when another tab is chosen.
export async function hide(page, isHidden) {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, isHidden);
}

// Answers the stream with events: changes that follow version 5.
export async function answerStream(page, changes) {
  const at = new Date().toISOString();
  const events = [
    ["open", 5, { version: 5 }],
    ["change", 6, { version: 6, changed_at: at, changes }],
  ];
  const text = events.map(([event, id, data]) => `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  await page.route(CHANGES, (route) =>
    route.fulfill({ status: 200, contentType: "text/event-stream", body: text.join("") }),
  );
}
