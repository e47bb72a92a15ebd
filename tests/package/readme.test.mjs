// Runs every example of the package's README against a workspace: in Node, or as its entry below says. The example must
// end without an error, and have the effect that it shows. `tests/types` checks the types of the same examples.

import assert from "node:assert/strict";
import { build } from "esbuild";
import { execFile, spawn } from "node:child_process";
import { copyFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import * as vite from "vite";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { afterTest } from "../e2e/support/cleanup.mjs";
import { LeadsPage } from "../e2e/support/leads.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { expectLeads, REFUSED, serviceFor } from "./support/matrix.mjs";
import { addFixture, project } from "./support/project.mjs";
import { examplesOf } from "./support/readme.mjs";
import { serve } from "./support/site.mjs";

const run = promisify(execFile);
const EXAMPLES = examplesOf(join(import.meta.dirname, "../../www/README.md"));
const ADDRESS = "https://workspace.example";

after(closeBrowser);

const count = async (service, status) => {
  const filters = [{ field: "approval_status", operator: "eq", value: status }];
  return (await service.call("POST", "/api/leads/query", { filters })).body.total;
};

// Ways to run an example, by its name. The default is `inNode`.
const RUNS = {
  "Start 1": inANewPage,
  "Platforms 1": throughTheFileLoader,
  "Pages on another origin 1": throughTheProxy,
  "Changes as they happen 1": tellsOfAnImport,
  "React, Vue, Svelte, TanStack Query 1": inReact("<Leads baseUrl={baseUrl} apiKey={apiKey} />", showsTheLeads),
  "React, Vue, Svelte, TanStack Query 2": inReact('ws ? <LeadReview ws={ws} /> : "loading"', showsTheReview),
  "React, Vue, Svelte, TanStack Query 3": inReact("<Page baseUrl={baseUrl} apiKey={apiKey} />", showsTheReview),
  "Web Workers 1": inAWorker,
  "The review screen 1": inAPage(showsTheReview),
  "The review screen 2": inAPage(showsTheReview),
  "What your page adds to the review 1": inAPage(showsTheReview),
  "What your page adds to the review 2": inReact('ws ? <Prospects ws={ws} owners={new Map()} /> : "loading"', showsTheReview),
  "Your brand 1": inAPage(showsTheBrand),
  "The pulse of an account 1": inAPage(showsThePulse),
};

// What the workspace contains after an example.
const EFFECTS = {
  "lead-workspace 1": async (service, before) =>
    assert.equal(await count(service, "approved"), before.approved + 1),
  "All leads, bulk updates and jobs 3": async (service) =>
    assert.equal(await count(service, "pending_approval"), 0),
};

test("every entry belongs to an example", () => {
  const names = EXAMPLES.map(({ name }) => name);
  assert.deepEqual([...Object.keys(RUNS), ...Object.keys(EFFECTS)].filter((name) => !names.includes(name)), []);
});

for (const example of EXAMPLES) {
  test(`README: ${example.name}`, (t) => (RUNS[example.name] ?? inNode)(t, example));
}

async function inNode(t, { name, language, code }) {
  assert.match(language, /^(js|ts)$/, "an example in another language needs an entry in RUNS");
  const folder = await project(t);
  const service = await serviceFor(t);
  await addFixture(folder, "readme.mjs");
  await writeFile(join(folder, "example.ts"), code.replaceAll(ADDRESS, service.origin));
  await build({
    absWorkingDir: folder,
    entryPoints: ["example.ts"],
    outfile: "example.js",
    target: "es2022",
    format: "esm",
    logLevel: "error",
  });
  const before = { approved: await count(service, "approved") };
  const env = { ...process.env, BASE_URL: service.origin, API_KEY: service.key };
  await run(process.execPath, ["--import", "./readme.mjs", "example.js"], { cwd: folder, env });
  await EFFECTS[name]?.(service, before);
}

// The example goes on until the program ends.
async function tellsOfAnImport(t, { code }) {
  const folder = await project(t);
  await writeFile(join(folder, "example.mjs"), `import { Workspace } from "lead-workspace";
import { createTestWorkspace } from "lead-workspace/testing";

const server = await createTestWorkspace({ leads: 5 });
const fetch = async (...request) => {
  const response = await server.fetch(...request);
  server.importLeads("name\\nAna Diaz\\n");
  return response;
};
const ws = await Workspace.create({ baseUrl: "http://workspace.test", apiKey: "any", fetch });
${code}`);
  const child = spawn(process.execPath, ["example.mjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  afterTest(t, async () => child.kill());
  let said = "";
  for await (const chunk of child.stdout) {
    said += chunk;
    if (/^added null 1 \[/m.test(said)) return;
  }
  assert.fail(`it ended, and said: ${said}`);
}

// Opens a page of a folder, with `baseUrl` and `apiKey` in its address.
async function open(t, folder, service = undefined, origin = undefined) {
  const at = origin ?? (await serve(t, folder));
  const answering = service ?? (await serviceFor(t, at));
  const page = await openPage(t);
  const options = new URLSearchParams({ baseUrl: answering.origin, apiKey: answering.key });
  await page.goto(`${at}/#${options}`);
  return { page, service: answering };
}

// A page whose scripts have `baseUrl` and `apiKey`.
const html = (body) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Example</title>
<link rel="icon" href="data:,">
<script>Object.assign(globalThis, Object.fromEntries(new URLSearchParams(location.hash.slice(1))));</script>
${body}
</html>
`;

async function viteBuilt(root) {
  await vite.build({ root, configFile: false, logLevel: "error", build: { target: "es2022" } });
  return join(root, "dist");
}

// The example is all of the page's script.
async function inANewPage(t, { code }) {
  const root = await project(t);
  await writeFile(join(root, "main.js"), code);
  await writeFile(join(root, "index.html"), html('<script type="module" src="main.js"></script>'));
  const origin = await serve(t, await viteBuilt(root));
  const page = await openPage(t);
  await page.goto(origin);
  const rows = page.getByRole("button", { name: /: \w+$/ });
  await expectEventually("ten leads", async () => (await rows.count()) === 10);
  const pending = page.getByRole("button", { name: /: pending_approval$/ });
  const before = await pending.count();
  const name = (await pending.first().innerText()).split(":")[0];
  await pending.first().click();
  await page.getByRole("button", { name: `${name}: approved` }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await expectEventually("the undo", async () => (await pending.count()) === before);
}

async function throughTheFileLoader(t, { code }) {
  const folder = await project(t);
  await writeFile(
    join(folder, "main.js"),
    `${code}\nconst { total } = await ws.queryLeads();\ndocument.querySelector("output").textContent = \`\${total} leads\`;\n`,
  );
  const outdir = join(folder, "dist");
  await build({
    absWorkingDir: folder,
    entryPoints: ["main.js"],
    bundle: true,
    format: "esm",
    loader: { ".wasm": "file" },
    outdir,
  });
  await writeFile(join(outdir, "index.html"), html('<output></output><script type="module" src="main.js"></script>'));
  const { page } = await open(t, outdir);
  await page.getByText("40 leads").waitFor();
}

async function throughTheProxy(t, { code }) {
  const root = await project(t);
  const service = await serviceFor(t);
  await writeFile(join(root, "vite.config.js"), code.replace("http://127.0.0.1:8787", service.origin));
  const server = await vite.createServer({ root, logLevel: "error", server: { host: "127.0.0.1", port: 0 } });
  afterTest(t, () => server.close());
  await server.listen();
  const page = await openPage(t, { expected: [REFUSED] });
  const options = new URLSearchParams({ baseUrl: "", apiKey: service.key });
  await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/#${options}`);
  const output = page.locator("output:not(:empty)");
  await output.waitFor({ state: "attached" });
  await expectLeads(service, JSON.parse(await output.textContent()).page);
}

// Renders an element with the functions of the React examples.
function inReact(element, expected) {
  return async (t) => {
    const root = await project(t);
    for (const library of ["react", "react-dom", "scheduler"]) {
      await symlink(join(import.meta.dirname, "node_modules", library), join(root, "node_modules", library));
    }
    const code = (name) => EXAMPLES.find((example) => example.name === name).code;
    await writeFile(join(root, "leads.tsx"), `${code("React, Vue, Svelte, TanStack Query 1")}
export { useWorkspace };
`);
    await writeFile(join(root, "review.tsx"), `${code("React, Vue, Svelte, TanStack Query 2")}
export { LeadReview };
`);
    await writeFile(join(root, "page.tsx"), `${code("React, Vue, Svelte, TanStack Query 3")}
export { Page };
`);
    await writeFile(join(root, "prospects.tsx"), `${code("What your page adds to the review 2")}
export { Prospects };
`);
    await writeFile(join(root, "main.tsx"), `import { createRoot } from "react-dom/client";
import { Leads, useWorkspace } from "./leads";
import { Page } from "./page";
import { Prospects } from "./prospects";
import { LeadReview } from "./review";

function App() {
  const ws = useWorkspace(globalThis.baseUrl, globalThis.apiKey);
  return ${element};
}
createRoot(document.querySelector("main")).render(<App />);
`);
    await writeFile(join(root, "index.html"), html('<main></main><script type="module" src="./main.tsx"></script>'));
    const { page, service } = await open(t, await viteBuilt(root));
    await expected(page, service);
  };
}

async function inAWorker(t, { code }) {
  const root = await project(t);
  await writeFile(join(root, "worker.js"), code);
  await writeFile(join(root, "main.js"), `const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => (document.querySelector("output").textContent += \`\${data.id}: \${data.page.total} leads. \`);
const { baseUrl, apiKey } = globalThis;
for (const id of [1, 2]) worker.postMessage({ id, connection: { baseUrl, apiKey }, query: { page_size: 1 } });
`);
  await writeFile(join(root, "index.html"), html('<output></output><script type="module" src="./main.js"></script>'));
  const { page } = await open(t, await viteBuilt(root));
  for (const id of [1, 2]) await page.getByText(`${id}: 40 leads.`).waitFor();
}

function inAPage(expected) {
  return async (t, { code }) => {
    const root = await project(t);
    const dist = join(root, "dist");
    const origin = await serve(t, dist);
    const service = await serviceFor(t, origin);
    const { body } = await service.call("POST", "/api/accounts/query", { page_size: 1 });
    const adapted = code.replaceAll(ADDRESS, service.origin).replaceAll("account_7", body.data[0].id);
    await writeFile(join(root, "index.html"), html(adapted));
    await viteBuilt(root);
    const { page } = await open(t, dist, service, origin);
    await expected(page, service);
  };
}

async function showsTheReview(page) {
  await new LeadsPage(page).settled();
}

async function showsTheBrand(page) {
  await showsTheReview(page);
  const style = (selector) =>
    page.evaluate((selector) => {
      const element = document.querySelector("lead-review").shadowRoot.querySelector(selector);
      const { fontFamily, borderTopLeftRadius } = getComputedStyle(element);
      return [fontFamily.split(",")[0], borderTopLeftRadius];
    }, selector);
  assert.deepEqual(await style("[role=searchbox]"), ["Georgia", "2px"]);
}

// The first of its leads is approved, and the decision undone.
async function showsTheLeads(page, service) {
  const first = page.getByRole("button", { name: /: pending_approval$/ }).first();
  const name = (await first.innerText()).split(":")[0];
  const before = await count(service, "approved");
  await first.click();
  await page.getByRole("button", { name: `${name}: approved` }).waitFor();
  await expectEventually("the approval", async () => (await count(service, "approved")) === before + 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expectEventually("the undo", async () => (await count(service, "approved")) === before);
}

async function showsThePulse(page) {
  await page.getByRole("region", { name: "Pulse" }).waitFor();
}
