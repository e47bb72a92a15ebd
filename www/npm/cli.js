#!/usr/bin/env node
// The program of the package, `npx lead-workspace demo`: the review over a workspace in memory, on this machine.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

// By its name, so that it stays a file of its own: `bundle.mjs` writes the Wasm into it.
import { createTestWorkspace } from "lead-workspace/testing";

import { startDemo } from "./demo-server.js";

const HELP = `Usage: lead-workspace demo [options]

Opens the review of leads in the browser, over a workspace in memory. Decisions last until the program ends.

Options:
  --leads N      number of invented leads, 0 to 10000 (default: 2000, or 0 with --import)
  --import FILE  your own leads from a CSV, JSON or JSONL file; up to 10000
  --port N       port on 127.0.0.1, 0 for a free one (default: 8787)
  --no-open      do not open the browser
  --help         show this text
`;

const OPTIONS = {
  leads: { type: "string" },
  import: { type: "string" },
  port: { type: "string" },
  "no-open": { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

const DEFAULT_LEADS = 2_000;
const DEFAULT_PORT = 8787;

/** What the user has to change, and the exit code. */
class Failure extends Error {
  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}

const wrongUsage = (message) => new Failure(`${message}\nSee lead-workspace --help.`, 2);

const notDemo = (command) =>
  wrongUsage(
    `The only command of this package is demo, not ${command}. ` +
      "The workspace service, whose commands are serve and others, is a program of its own.",
  );

async function run(args) {
  // Before the options, which may be those of the other program.
  if (args[0] && args[0] !== "demo" && !args[0].startsWith("-")) throw notDemo(args[0]);
  const { values, positionals } = read(args);
  if (values.help) return process.stdout.write(HELP);
  const [command, ...others] = positionals;
  if (command === undefined) throw wrongUsage("A command is missing: demo.");
  if (command !== "demo") throw notDemo(command);
  if (others.length > 0) throw wrongUsage(`demo takes options only, not ${others.join(" ")}.`);
  const file = values.import;
  const leads = integer("leads", values.leads, 10_000) ?? (file === undefined ? DEFAULT_LEADS : 0);
  const port = integer("port", values.port, 65_535) ?? DEFAULT_PORT;
  const workspace = await createTestWorkspace({ leads, now: Date.now() });
  const imported = file === undefined ? undefined : importFile(workspace, file);
  const url = await startDemo(workspace, port).catch((error) => {
    throw refusal(error, port) ?? error;
  });
  const counts = imported ? [`${counted(imported.inserted)} of ${basename(file)}`] : [];
  if (leads > 0 || !imported) counts.push(counted(leads, "invented "));
  console.log(`${counts.join(" and ")} at ${url}`);
  console.log("Decisions last until this program ends. Ctrl-C ends it.");
  if (!values["no-open"]) open(url);
}

const counted = (number, kind = "") => `${number.toLocaleString("en")} ${kind}${number === 1 ? "lead" : "leads"}`;

/** Adds the leads of a file, and prints which lines are missing. */
function importFile(workspace, file) {
  const refused = (reason) => new Failure(`${file} cannot be imported: ${reason}`);
  let report;
  try {
    report = workspace.importLeads(decoded(readFileSync(file)), basename(file));
  } catch (error) {
    // The option that the rest of the advice names is one of the service's program.
    throw refused(error.message.replace(/, or map it: `lead-workspace import` has --map.*/s, "."));
  }
  const { failed, errors } = report;
  if (report.inserted === 0) throw refused(failed > 0 ? `line ${errors[0].line}: ${errors[0].reason}` : "it has no leads.");
  for (const { line, reason } of errors) console.error(`line ${line} was not imported: ${reason}`);
  if (failed > errors.length) console.error(`${failed - errors.length} more lines were not imported`);
  return report;
}

/** Decodes a file in the encodings that spreadsheets write. */
function decoded(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function read(args) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    if (!error.code?.startsWith("ERR_PARSE_ARGS")) throw error;
    // Node's advice after that does not apply.
    throw wrongUsage(`${error.message.split(". ")[0]}.`);
  }
}

/** Returns an option as a number; undefined if it was not given. */
function integer(name, text, max) {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value <= max) return value;
  throw wrongUsage(`--${name} must be an integer from 0 to ${max}, not ${JSON.stringify(text)}.`);
}

/** Returns what the user has to change if the server cannot listen. */
function refusal({ code }, port) {
  if (code === "EADDRINUSE") {
    const advice = "Stop that program, or choose another port with --port, such as --port 0 for a free one.";
    return new Failure(`127.0.0.1:${port} is in use by another program. ${advice}`);
  }
  if (code === "EACCES") {
    return new Failure(`No permission to listen on 127.0.0.1:${port}. Choose a port above 1023 with --port.`);
  }
}

function open(url) {
  const program = { darwin: "open", win32: "explorer" }[process.platform] ?? "xdg-open";
  spawn(program, [url], { detached: true, stdio: "ignore" })
    .on("error", ({ message }) => console.error(`The browser cannot be opened (${message}); open ${url} yourself.`))
    .unref();
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`error: ${error.message}`);
  process.exitCode = error.code;
}
