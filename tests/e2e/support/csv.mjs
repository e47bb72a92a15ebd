// Writes a deterministic CSV of leads in the format of an export tool.

import { writeFile } from "node:fs/promises";

const FIRST = ["Ada", "Béla", "Chiara", "Dmitri", "Elif", "Farid", "Grace", "Hana", "Ivo", "Jürgen"];
const LAST = ["Okafor", "Lindqvist", "Moreau", "Tanaka", "Novák", "O'Brien", "Silva", "Weiß"];
const TITLES = ["Head of Sales", "CTO", "VP Marketing, EMEA", "Founder", 'Director "Growth"'];
const COMPANIES = ["Northwind Robotics", "Blue Harbour, Ltd", "Quantum Dairy", "Älvsbyn Steel"];

const HEADER = ["First Name", "Last Name", "Title", "Company", "Email", "Profile URL", "Location"];

// Writes `count` leads with unique names, e-mail addresses and profile URLs.
export async function writeLeads(file, count) {
  const lines = [HEADER, ...Array.from({ length: count }, (_, n) => lead(n))];
  await writeFile(file, lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join(""));
}

function lead(n) {
  const first = FIRST[n % FIRST.length];
  const last = `${LAST[n % LAST.length]}-${String(n + 1).padStart(3, "0")}`;
  return [
    first,
    last,
    TITLES[n % TITLES.length],
    COMPANIES[n % COMPANIES.length],
    `lead${n + 1}@example.com`,
    `https://example.com/in/lead-${n + 1}`,
    "Zürich, Switzerland",
  ];
}

function quoted(cell) {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
