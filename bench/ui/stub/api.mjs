// The operations of the workspace API that the two pages call.

import { setTimeout as pause } from "node:timers/promises";

import { FACETS, FacetSearch } from "./facets.mjs";
import { leadId } from "./leads.mjs";
import { Queries } from "./query.mjs";
import { detail, item } from "./records.mjs";
import { STATUSES } from "./words.mjs";

// Long enough to be visible in `approve` if a page waits for the server before it shows the decision.
const DECISION_MS = 60;
const PAGE = { default: 50, most: 100 };

// An error response.
export class Refused extends Error {
  constructor(status, detail) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = { detail };
  }
}

const notFound = () => new Refused(404, "not found");

// Returns a function that creates the validation error for a field in the body or the query.
const refusal = (place) => (name, message, input) => {
  return new Refused(422, [{ loc: [place, name], msg: message, type: "value_error", input: input ?? null, ctx: {} }]);
};

export class Api {
  #leads;
  #queries;
  #facets;

  constructor(leads) {
    this.#leads = leads;
    this.#queries = new Queries(leads);
    this.#facets = new FacetSearch(leads);
  }

  // Returns the body of the response, or throws Refused. `read` resolves with the body of the request.
  async answer(method, { pathname, searchParams }, read) {
    switch (`${method} ${pathname}`) {
      case "POST /api/leads/query":
        return this.#query(await read());
      case "GET /api/leads/facets":
        return FACETS;
      case "GET /api/leads/facets/search":
        return this.#facets.run(searchParams, refusal("query"));
    }
    const id = /^\/api\/leads\/([^/]+)$/.exec(pathname)?.[1];
    const number = this.#leads.find(id);
    if (number === undefined) throw notFound();
    if (method === "GET") return detail(this.#leads, number);
    if (method === "PATCH") return this.#decide(number, await read());
    throw notFound();
  }

  #query(query) {
    const refuse = refusal("body");
    const whole = (name, most, usual) => {
      const value = query[name] ?? usual;
      if (Number.isInteger(value) && value >= 1 && value <= most) return value;
      throw refuse(name, `a whole number from 1 to ${most}`, value);
    };
    const page = whole("page", 1e9, 1);
    const size = whole("page_size", PAGE.most, PAGE.default);
    const found = this.#queries.run(query, refuse);
    const numbers = found.slice((page - 1) * size, page * size);
    return {
      data: Array.from(numbers, (number) => item(this.#leads, number)),
      total: found.length,
      has_more: page * size < found.length,
      page,
      page_size: size,
    };
  }

  async #decide(number, { approval_status: name }) {
    const status = STATUSES.indexOf(name);
    if (status < 0) throw refusal("body")("approval_status", `one of ${STATUSES.join(", ")}`, name);
    await pause(DECISION_MS);
    this.#leads.status[number] = status;
    return { lead_id: leadId(number), approval_status: name };
  }
}
