// Reads bodies of responses. The readers of values keep what they cannot read in `problems`, with its place.

/**
 * Reads a body.
 * @param {(value: unknown) => unknown} reader Of what its JSON stands for.
 * @param {Uint8Array} bytes
 * @throws {Error} The message has the place and the problem, and never a long value.
 */
export function readBody(reader, bytes) {
  const value = parse(decode(bytes));
  problems = [];
  try {
    return reader(value);
  } catch (error) {
    throw error instanceof Odd ? new Error(error.reason) : error;
  }
}

// The fields that could not be read, as place and reason. The rest of the body is used.
let problems = [];

// Maximum number of problems reported per value. Further malformed values are null, too, but not reported.
const MOST = 8;

function odd(at, wanted, value) {
  if (problems.length < MOST) problems.push({ at, what: `expected ${wanted}, got ${kind(value)}` });
  return null;
}

// Prefixes the problems since index `since` with the place of their container.
function within(at, since) {
  if (at === "") return;
  for (const problem of problems.slice(since)) {
    const inner = problem.at;
    problem.at = inner === "" || inner.startsWith("[") ? at + inner : `${at}.${inner}`;
  }
}

const told = ({ at, what }) => (at === "" ? what : `${at}: ${what}`);

// With `fatal`, invalid UTF-8 is refused. A byte order mark is removed.
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses the body of a response to a request outside of the table.
 * @param {Uint8Array} bytes
 * @returns {unknown} Undefined if the body is empty.
 */
export function parseAny(bytes) {
  const text = decode(bytes);
  return text.trim() === "" ? undefined : parse(text);
}

function decode(bytes) {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new Error("the body is not UTF-8");
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message may quote the body.
    const place = /position \d+/.exec(error.message)?.[0];
    throw new Error(place ? `the body is not JSON (${place})` : "the body is not JSON");
  }
}

// Thrown only internally, if a value cannot be read at all. An Error would capture a stack.
class Odd {
  constructor(reason) {
    this.reason = reason;
  }
}

function kind(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "string":
      return "a string";
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "boolean":
      return String(value);
    default:
      return "an object";
  }
}

export function text(value, at) {
  if (typeof value === "string") return value;
  if (value == null) return null;
  return odd(at, "a string", value);
}

export function boolean(value, at) {
  if (typeof value === "boolean") return value;
  if (value == null) return null;
  return odd(at, "true or false", value);
}

export function number(value, at) {
  if (Number.isFinite(value)) return value;
  if (value == null) return null;
  return odd(at, "a number", value);
}

export function uint32(value, at) {
  return integer(value, at, 0, 2 ** 32);
}

export function uint64(value, at) {
  return integer(value, at, 0, 2 ** 64);
}

export function int64(value, at) {
  return integer(value, at, -(2 ** 63), 2 ** 63);
}

// The Rust decoder treats -0 as a float.
export function isWhole(value, from, below) {
  return Number.isInteger(value) && value >= from && value < below && !Object.is(value, -0);
}

function integer(value, at, from, below) {
  if (isWhole(value, from, below)) return value;
  if (value == null) return null;
  return odd(at, from === 0 ? "an integer from 0" : "an integer", value);
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// Reads the top-level object of a body or a row.
export function object(value) {
  if (isObject(value)) return value;
  throw new Odd(`expected an object, got ${kind(value)}`);
}

export function array(value, at) {
  if (Array.isArray(value)) return value;
  if (value == null) return null;
  return odd(at, "an array", value);
}

export function one(model, value, at) {
  if (value == null) return null;
  if (!isObject(value)) return odd(at, "an object", value);
  const since = problems.length;
  const read = model(value);
  if (problems.length > since) within(at, since);
  return read;
}

// Elements that are null or malformed are left out.
export function list(element, value, at) {
  const values = array(value, at);
  if (values === null) return null;
  const all = [];
  for (let index = 0; index < values.length; index += 1) {
    const since = problems.length;
    const read = element(values[index], "");
    if (problems.length > since) within(`${at}[${index}]`, since);
    if (read !== null) all.push(read);
  }
  return all;
}

export function many(model, value, at) {
  return list((item) => one(model, item, ""), value, at);
}

// Reads counts by name. Entries that are not counts are left out, so that one malformed count does
// not hide the others.
export function counts(value, at) {
  if (value == null) return null;
  if (!isObject(value)) return odd(at, "an object", value);
  const all = Object.entries(value);
  const known = all.filter(([, count]) => isWhole(count, 0, 2 ** 64));
  // If all entries are counts, the parsed object is used as is.
  return known.length === all.length ? value : Object.fromEntries(known);
}

// Reads a field that has two names: the first one that is set. The values of both are checked.
export function either(first, second) {
  return first ?? second;
}

export function page(row, id, value) {
  const it = object(value);
  const rows = array(it.data, "data") ?? [];
  // A page whose rows cannot be read is not valid.
  if (problems.length > 0) throw new Odd(told(problems[0]));
  const data = [];
  const rowErrors = [];
  for (let index = 0; index < rows.length; index += 1) {
    const raw = rows[index];
    problems = [];
    if (!isObject(raw)) {
      odd("", "an object", raw);
      rowErrors.push({ index, reason: told(problems[0]), raw, kept: false });
      continue;
    }
    const read = row(raw);
    const kept = read[id] !== null;
    if (kept) data.push(read);
    else if (problems.every(({ at }) => at !== id)) problems.unshift({ at: id, what: "expected a string, got null" });
    if (problems.length > 0) rowErrors.push({ index, reason: problems.map(told).join("; "), raw, kept });
  }
  problems = [];
  const read = {
    data,
    total: uint64(it.total, "total"),
    has_more: boolean(it.has_more, "has_more"),
    page: uint32(it.page, "page"),
    page_size: uint32(it.page_size, "page_size"),
    rowErrors,
    problems: [],
  };
  if (read.total !== null && read.total < rows.length) {
    read.total = odd("total", "no fewer rows than are on this page", read.total);
  }
  read.problems = problems.map(told);
  return keep(it, read);
}

// Adds the fields that this version does not know, as they came.
export function keep(it, read) {
  for (const name in it) if (!(name in read)) read[name] = it[name];
  return read;
}

// Reads a member of a shape that the contract leaves open.
export const member = (value, type) => (typeof value === type ? value : null);

export function facets(model, value) {
  const it = model(value);
  it.problems = problems.map(told);
  return it;
}

// Reads a job; upstreams use different vocabularies. `ended` has the final state for each word.
export function job(model, ended, value) {
  const it = model(value);
  it.status ??= it.state;
  const word = (it.status ?? "").replace(/[^A-Za-z]/g, "").toLowerCase();
  it.state = ended.get(word) ?? "running";
  it.progress = fraction(it.progress, it.state);
  return it;
}

// Accepts 0 to 1, 0 to 100, or {done, total}. A bare 1 may mean 100 % or 1 %.
function fraction(progress, state) {
  let part = progress;
  if (typeof progress === "object" && progress !== null) {
    const { done, total } = progress;
    if (!Number.isFinite(done) || !Number.isFinite(total)) return null;
    part = total <= 0 ? 1 : done / total;
  } else if (!Number.isFinite(part)) {
    return null;
  } else if (part > 1) {
    part /= 100;
  } else if (part === 1 && state !== "succeeded") {
    return null;
  }
  return Math.min(Math.max(part, 0), 1);
}
