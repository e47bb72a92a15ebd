// Starts the app, or shows why it cannot start. The page is painted before this runs.
const root = document.documentElement;
const place = document.getElementById("app");

try {
  const theme = localStorage.getItem("lead-workspace.theme");
  if (theme) root.dataset.theme = theme;
} catch {
  // Without storage, the colors of the system apply.
}

const say = (title, text, detail) => {
  const element = (tag, content, kind) => {
    const made = document.createElement(tag);
    made.textContent = content;
    if (kind) made.className = kind;
    return made;
  };
  const message = element("section", "", "empty-state error");
  message.setAttribute("role", "alert");
  const reload = element("a", "Reload", "button main");
  reload.href = "";
  message.append(element("h2", title), element("p", text), reload);
  if (detail) message.append(element("p", detail, "fine"));
  place.replaceChildren(message);
};

const start = async () => {
  if (typeof WebAssembly !== "object") {
    say(
      "This browser cannot run the app",
      "WebAssembly is missing or disabled. Nothing was changed. Enable it, or use a current browser, then reload.",
    );
    return;
  }
  try {
    const { default: init, mount_app } = await import("./lead_workspace.js");
    await init();
    mount_app(place);
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
