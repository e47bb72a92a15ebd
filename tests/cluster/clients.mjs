// The clients of `cargo xtask soak cluster`: they use the package against several processes of the service, which are
// killed and started again meanwhile. Each client decides on leads of its own, so it knows which status each of them
// may have. Prints what it found as JSON.
//
// The argument is JSON: `package` (a folder), `urls`, `key`, `workspaces`, `clients` (of each workspace), `seconds`.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(process.argv[2]);
const { Workspace } = await import(pathToFileURL(join(plan.package, "inline.js")));

// Rows of a page, and so leads of a client.
const LEADS = 100;
const AT_ONCE = 10;
const SCORE_EVERY_MS = 20_000;
const STATUSES = ["approved", "rejected", "pending_approval"];

const random = (count) => Math.floor(Math.random() * count);
const counts = { calls: 0, acknowledged: 0, uncertain: 0, failed: 0, jobs: 0 };
const durations = [];
const errors = new Map();
const wrong = [];

function note(error) {
  const key = `${error.operation} ${error.code} ${error.status ?? ""}`.trim();
  errors.set(key, (errors.get(key) ?? 0) + 1);
}

class Client {
  // The statuses that each lead may have.
  #possible = new Map();

  static async connect(number, workspace) {
    const client = new Client();
    const url = (at) => plan.urls[at % plan.urls.length];
    const connect = (baseUrl) => Workspace.create({ baseUrl, apiKey: plan.key, tenantId: workspace });
    client.name = `${workspace} ${number}`;
    client.workspace = await connect(url(number));
    client.other = await connect(url(number + 1));
    const page = Math.floor(number / plan.workspaces.length) + 1;
    const query = { page, page_size: LEADS, sort_by: "created_at", sort_dir: "asc" };
    for (const lead of (await client.workspace.queryLeads(query)).data) {
      client.#possible.set(lead.lead_id, new Set([lead.approval_status]));
    }
    client.ids = [...client.#possible.keys()];
    return client;
  }

  async work(until) {
    let scored = Date.now() + random(SCORE_EVERY_MS);
    while (Date.now() < until) {
      const started = performance.now();
      try {
        await this.#act();
        if (Date.now() > scored) {
          scored = Date.now() + SCORE_EVERY_MS;
          await this.#score();
        }
      } catch (error) {
        if (!error.code) throw error;
        note(error);
      }
      counts.calls += 1;
      durations.push(performance.now() - started);
    }
  }

  async #act() {
    const id = this.ids[random(this.ids.length)];
    const kind = random(100);
    if (kind < 15) return this.#decide(id);
    if (kind < 20) return this.#decideMany();
    if (kind < 25) return void (await this.workspace.getLeadFacets());
    if (kind < 60) return this.#check(id, this.workspace);
    const query = { filters: [{ field: "approval_status", operator: "eq", value: "approved" }] };
    for (const { lead_id, approval_status } of (await this.workspace.queryLeads(query)).data) {
      if (approval_status !== "approved") wrong.push(`${lead_id} is ${approval_status} in the list of approved leads`);
    }
  }

  async #decide(id) {
    const status = STATUSES[random(STATUSES.length)];
    try {
      await this.workspace.updateLead(id, status);
    } catch (error) {
      if (!error.code) throw error;
      note(error);
      if (error.ambiguous) this.#maybe([id], status);
      else counts.failed += 1;
      return;
    }
    this.#did([id], status);
  }

  async #decideMany() {
    const from = random(this.ids.length - AT_ONCE);
    const status = STATUSES[random(STATUSES.length)];
    const outcome = await this.workspace.updateLeads(this.ids.slice(from, from + AT_ONCE), status);
    for (const { error } of outcome.errors) note(error);
    this.#did(outcome.updated, status);
    this.#maybe(outcome.uncertain, status);
    counts.failed += outcome.failed.length;
  }

  #did(ids, status) {
    for (const id of ids) this.#possible.set(id, new Set([status]));
    counts.acknowledged += ids.length;
  }

  #maybe(ids, status) {
    for (const id of ids) this.#possible.get(id).add(status);
    counts.uncertain += ids.length;
  }

  async #score() {
    const from = random(this.ids.length - AT_ONCE);
    const { job_id } = await this.workspace.scoreLeads({ lead_ids: this.ids.slice(from, from + AT_ONCE) });
    const job = await this.workspace.waitForJob(job_id);
    if (job.status !== "succeeded") wrong.push(`the job ${job_id} has ${job.status}: ${job.error}`);
    counts.jobs += 1;
  }

  async #check(id, workspace) {
    const possible = this.#possible.get(id);
    const { approval_status } = await workspace.getLead(id);
    if (possible.has(approval_status)) return;
    wrong.push(`${this.name}: ${id} is ${approval_status}, which was not decided: ${[...possible]}`);
  }

  // At the end, through another process.
  async checkAll() {
    for (const id of this.ids) {
      while (!(await this.#isChecked(id))) await sleep(500);
    }
    this.workspace.dispose();
    this.other.dispose();
  }

  async #isChecked(id) {
    try {
      await this.#check(id, this.other);
      return true;
    } catch (error) {
      if (!error.code) throw error;
      return false;
    }
  }
}

const all = [];
for (let number = 0; number < plan.workspaces.length * plan.clients; number += 1) {
  all.push(await Client.connect(number, plan.workspaces[number % plan.workspaces.length]));
}
const until = Date.now() + plan.seconds * 1000;
await Promise.all(all.map((client) => client.work(until)));
for (const client of all) await client.checkAll();
durations.sort((one, other) => one - other);
const at = (share) => Math.round(durations[Math.floor((durations.length - 1) * share)]);
const milliseconds = { p50: at(0.5), p99: at(0.99), most: at(1) };
const leads = all.length * LEADS;
console.log(JSON.stringify({ ...counts, leads, milliseconds, errors: Object.fromEntries(errors), wrong }));
