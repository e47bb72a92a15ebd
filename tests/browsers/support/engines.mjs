// The browsers, by the name in LEAD_WORKSPACE_ENGINE: how their driver starts, and what a session asks for.

const LANGUAGE = "en-GB";

// Firefox saves files without a dialog, and writes the errors of pages to its output.
const firefox = (downloads) => ({
  browserName: "firefox",
  "moz:firefoxOptions": {
    binary: process.env.LEAD_WORKSPACE_BROWSER,
    args: ["-headless"],
    prefs: {
      "browser.download.dir": downloads,
      "browser.download.folderList": 2,
      "browser.download.useDownloadDir": true,
      "browser.download.alwaysOpenPanel": false,
      "browser.dom.window.dump.enabled": true,
      "intl.accept_languages": LANGUAGE,
      // As with a mouse: without a screen, Firefox has no pointer that can hover.
      "ui.primaryPointerCapabilities": 6,
      "ui.allPointerCapabilities": 6,
      "ui.prefersReducedMotion": 1,
    },
  },
});

const webkit = () => ({
  browserName: "MiniBrowser",
  "webkitgtk:browserOptions": {
    binary: process.env.LEAD_WORKSPACE_BROWSER,
    args: ["--automation", "--enable-write-console-messages-to-stdout=true"],
  },
});

const chromium = (downloads) => ({
  browserName: "chrome",
  "goog:chromeOptions": {
    binary: process.env.LEAD_WORKSPACE_BROWSER,
    args: [
      "--headless=new",
      "--disable-gpu",
      "--no-first-run",
      `--lang=${LANGUAGE}`,
      // Chromium's sandbox does not work as root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    prefs: { "download.default_directory": downloads },
  },
});

// Every driver listens on 127.0.0.1 only. `problem` matches what a browser writes about an error of a page.
const ENGINES = {
  firefox: {
    driver: "geckodriver",
    options: (port) => ["--port", port, "--websocket-port", "0", "--log", "error"],
    capabilities: firefox,
    // Those of Firefox's own scripts have other addresses.
    problem: /^JavaScript error: http/,
  },
  webkit: {
    driver: "WebKitWebDriver",
    options: (port) => [`--port=${port}`],
    capabilities: webkit,
    problem: /^CONSOLE (JS|SECURITY) ERROR/,
  },
  chromium: {
    driver: "chromedriver",
    options: (port) => [`--port=${port}`],
    capabilities: chromium,
    // Only in its own log: see the tests in tests/e2e.
    problem: /^$/,
  },
};

export const NAME = process.env.LEAD_WORKSPACE_ENGINE;

export function engine() {
  const found = ENGINES[NAME];
  if (!found) throw new Error("LEAD_WORKSPACE_ENGINE names no engine; run `cargo xtask test --only browsers`");
  return found;
}
