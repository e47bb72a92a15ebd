// Starts the app, or shows why it cannot start, or that it stopped. The page is painted before this runs.
import { firstQuery } from "./first-query.js";

const root = document.documentElement;
const place = document.getElementById("app");

try {
  const theme = localStorage.getItem("lead-workspace.theme");
  if (theme) root.dataset.theme = theme;
} catch {
  // Without storage, the colors of the system apply.
}

let send;
try {
  send = firstQuery(globalThis);
} catch {
  // Without storage, or with a key that is not valid in a header, the app sends its queries itself.
}

const element = (tag, content, attributes = {}) => {
  const made = document.createElement(tag);
  made.append(...[content].flat());
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

const reload = () => element("a", "Reload", { class: "button main", href: "" });

const say = (title, text, detail) => {
  const message = [element("h2", title), element("p", text), reload()];
  if (detail) message.push(element("p", detail, { class: "fine" }));
  place.replaceChildren(element("section", message, { class: "empty-state error", role: "alert" }));
};

// Covers the page after a panic, or any other trap: the app does not run on. The stack has the positions in the Wasm
// file.
const stop = (error) => {
  if (!(error instanceof WebAssembly.RuntimeError) || document.getElementById("stopped")) return;
  const title = "The page stopped working";
  const link = reload();
  const details = [element("summary", "Technical details"), element("pre", error.stack ?? String(error))];
  const message = element("section", [
    element("h2", title),
    element("p", "Decisions shown as saved are saved. Others may not be: check them after you reload the page."),
    link,
    element("details", details),
  ]);
  document.body.append(element("div", message, { id: "stopped", role: "alertdialog", "aria-label": title }));
  link.focus();
};

// Without one of these, texts would have the color of what is under them, or rows no height. docs/review.md has the
// versions of the browsers.
const NEEDED = [
  ["color", "light-dark(red, red)"],
  ["color", "oklch(from red calc(l - 0.1) c h)"],
  ["height", "round(down, 1px, 1px)"],
];

const start = async () => {
  if (!NEEDED.every(([property, value]) => CSS.supports(property, value))) {
    say(
      "This browser is too old for the app",
      "It needs Chrome or Edge 125, Firefox 128, Safari 18, or a newer version. Nothing was changed. Update the browser, or use another one.",
    );
    return;
  }
  if (typeof WebAssembly !== "object") {
    say(
      "This browser cannot run the app",
      "WebAssembly is missing or disabled. Nothing was changed. Enable it, or use a current browser, then reload.",
    );
    return;
  }
  addEventListener("error", ({ error }) => stop(error));
  addEventListener("unhandledrejection", ({ reason }) => stop(reason));
  try {
    const { default: init, mount_app } = await import("./lead_workspace.js");
    await init();
    mount_app(place, send);
  } catch (error) {
    const forbidden = error instanceof WebAssembly.CompileError;
    say(
      forbidden ? "The browser rejected the app" : "The app could not be loaded",
      forbidden
        ? "The download is damaged, or a policy blocks WebAssembly. Nothing was changed. Reload; if the error persists, contact the server's operator."
        : "The server could not be reached, or the connection was lost. Nothing was changed. Check the connection and reload.",
      String(error),
    );
  }
  // After startup, the animation of a skeleton starts with a delay.
  setTimeout(() => delete root.dataset.booting, 1000);
};

start();
