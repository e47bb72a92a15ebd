// The review as a part of another product, which adds a column, two commands and a section in the details.

import { mountLeadReview } from "lead-workspace/ui";

const { baseUrl, apiKey } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

// What a product has in its own database.
const OWNERS = ["Mara Voss", "Idris Bell", "Jun Park"];
const owners = new Map();
const notes = new Map();
const inSequence = new Set();

function ownerOf(leadId) {
  if (!owners.has(leadId)) owners.set(leadId, OWNERS[[...leadId].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % 3]);
  return owners.get(leadId);
}

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const columns = [
  {
    id: "owner",
    label: "Owner",
    width: 148,
    value(lead) {
      const name = ownerOf(lead.lead_id);
      const picture = make("i", { ariaHidden: "true" }, name.replace(/(\w)\w* (\w).*/, "$1$2"));
      picture.style.setProperty("--hue", 80 + 90 * OWNERS.indexOf(name));
      return make("span", { className: "owner" }, picture, make("span", {}, name));
    },
  },
  {
    id: "touches",
    label: "Touches",
    width: 84,
    align: "end",
    // As from a request.
    value: async (lead) => (inSequence.has(lead.lead_id) ? 1 : 0),
  },
];

const actions = [
  {
    id: "sequence",
    label: "Add to sequence",
    key: "Y",
    for: "leads",
    async run(ids, { signal, progress }) {
      for (const [at, id] of ids.entries()) {
        await new Promise((done) => setTimeout(done, 120));
        signal.throwIfAborted();
        inSequence.add(id);
        progress((at + 1) / ids.length);
      }
      const count = inSequence.size;
      document.querySelector("#sequence").textContent = `${count} ${count === 1 ? "prospect is" : "prospects are"} in the sequence.`;
      review.refreshColumns();
    },
  },
  {
    id: "assign",
    label: "Assign to me",
    for: "leads",
    run(ids) {
      for (const id of ids) owners.set(id, OWNERS[0]);
      review.refreshColumns();
    },
  },
];

// A section of the product in the details of each lead.
function details(lead) {
  const saved = make("small", {}, "Only your team sees this.");
  const text = make("textarea", { value: notes.get(lead.id) ?? "", placeholder: `What do we know about ${lead.name}?` });
  text.setAttribute("aria-label", `Notes on ${lead.name}`);
  const save = () => {
    notes.set(lead.id, text.value);
    saved.textContent = "Saved.";
  };
  text.addEventListener("change", save);
  return { node: make("div", { className: "notes" }, text, saved), destroy: save };
}

const review = mountLeadReview(document.querySelector("main"), {
  baseUrl,
  apiKey,
  hostName: "Harbour",
  columns,
  actions,
  details,
});
