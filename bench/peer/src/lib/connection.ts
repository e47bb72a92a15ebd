// The API key travels in the URL fragment (`#key=…`) so that it is never sent
// to a server, and is removed from the address bar before anything else runs.
function takeKey(): string {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const key = fragment.get("key") ?? "";
  if (key) {
    history.replaceState(history.state, "", window.location.pathname + window.location.search);
  }
  return key;
}

export const apiKey = takeKey();
