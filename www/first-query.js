// The first query of the leads page, sent while the app is still loading. The app asks for it again when it starts,
// and gets this response if it would send exactly the same request.

// What the app noted for the next visit (`src/app/state/first_query.rs`): the body of the query by address.
const SLOT = "lead-workspace.first-query";

// For a first visit, the queries of the tabs. `tests/it/first_query.rs` compares them with the app's.
const DEFAULT = {
  "/leads":
    '{"filters":[{"field":"approval_status","operator":"in","value":["pending_approval"]}],"page":1,"page_size":50,"sort_by":"icp_score","sort_dir":"desc"}',
  "/leads?tab=approved":
    '{"filters":[{"field":"approval_status","operator":"in","value":["approved"]}],"page":1,"page_size":50,"sort_by":"icp_score","sort_dir":"desc"}',
  "/leads?tab=rejected":
    '{"filters":[{"field":"approval_status","operator":"in","value":["rejected"]}],"page":1,"page_size":50,"sort_by":"icp_score","sort_dir":"desc"}',
  "/leads?tab=filtered":
    '{"filters":[{"field":"approval_status","operator":"in","value":["filtered"]}],"page":1,"page_size":50,"sort_by":"icp_score","sort_dir":"desc"}',
  "/leads?tab=all":
    '{"filters":[],"page":1,"page_size":50,"sort_by":"icp_score","sort_dir":"desc"}',
};

// An older response is not used: other tabs may have decided on its leads.
const STALE_AFTER_MS = 30_000;

/**
 * Sends the first query if the address and the key of the page are known. Returns a `fetch` for the app, which takes
 * a request and its body.
 * @param {typeof globalThis} page
 */
export function firstQuery({ location, localStorage, sessionStorage, performance, Request, fetch }) {
  const { pathname, search, hash, origin } = location;
  const noted = localStorage.getItem(SLOT);
  const bodies = noted ? JSON.parse(noted) : DEFAULT;
  const parameters = new URLSearchParams(search);
  const base = (parameters.get("base") ?? "").replace(/\/+$/, "");
  const tenant = parameters.get("tenant");
  // As the app does: the key of the link, else the one that this tab has for this workspace.
  const given = new URLSearchParams(hash.slice(1)).get("key");
  const key = given || sessionStorage.getItem(`lead-workspace.key ${base}${tenant ? `#${tenant}` : ""}`);
  // Which lead is open does not matter, and is not noted.
  for (const name of ["lead", "focus"]) parameters.delete(name);
  const address = [pathname === "/" ? "/leads" : pathname, String(parameters)].filter(Boolean).join("?");
  const body = bodies[address];
  if (!body || !key) return (request) => fetch(request);

  const abort = new AbortController();
  const early = new Request(new URL(`${base}/api/leads/query`, origin), {
    method: "POST",
    headers: {
      accept: "application/json",
      authorization: `Bearer ${key.trim()}`,
      "content-type": "application/json",
      ...(tenant && { "x-tenant-id": tenant }),
    },
    body,
    redirect: "manual",
    credentials: "omit",
    cache: "no-store",
    signal: abort.signal,
  });
  const wanted = identity(early, body);
  const sentAt = performance.now();
  let response = fetch(early);
  // Without a handler, a failure would be reported as an unhandled rejection if the app never uses the response.
  response.catch(() => {});

  return (request, body) => {
    if (!response || identity(request, body) !== wanted) return fetch(request);
    const sent = response;
    response = undefined;
    if (performance.now() - sentAt > STALE_AFTER_MS) {
      abort.abort();
      return fetch(request);
    }
    request.signal.addEventListener("abort", () => abort.abort());
    return sent.then(
      (response) => (response.ok ? response : fetch(request)),
      () => fetch(request),
    );
  };
}

const identity = ({ method, url, headers }, body) => JSON.stringify([method, url, [...headers], body]);
