// The review UI for other pages: `mountLeadReview` and `<lead-review>`, and the account pulse on its own:
// `mountAccountPulse` and `<account-pulse>`.

import { asset } from "./asset.js";
import { makeElements } from "./elements.js";
import { optionsOf } from "./internal.js";
import { notAModule, notLoaded, notServed } from "./load-errors.js";
import instantiate, { mount_account_pulse, mount_lead_review } from "./review.js";

// Written in the form in which bundlers detect the files and include them.
const wasm = () => asset(new URL("./review.wasm", import.meta.url));
const style = asset(new URL("./style.css", import.meta.url));

const ADVICE = ": copy `review*` and `style.css` of the package there";

let loading;

/** Loads the module, once for the whole page; a failed load may be retried. */
function load() {
  loading ??= start().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start() {
  const url = wasm();
  const failed = (text) => (cause) => {
    throw new Error(text, { cause });
  };
  const response = await fetch(url).catch(failed(notLoaded(` from ${url}`, ADVICE)));
  if (!response.ok) throw new Error(notServed(response, ADVICE));
  await instantiate({ module_or_path: response }).catch(failed(notAModule(url)));
  return { mount_account_pulse, mount_lead_review };
}

// The import must also work without a document, e.g. on a server that renders pages.
const made = globalThis.customElements && makeElements({ load, style, optionsOf });

export const LeadReviewElement = made?.LeadReviewElement;
export const AccountPulseElement = made?.AccountPulseElement;

export function mountLeadReview(element, options) {
  return inPage("mountLeadReview").mountLeadReview(element, options);
}

export function mountAccountPulse(element, options) {
  return inPage("mountAccountPulse").mountAccountPulse(element, options);
}

function inPage(name) {
  if (!made) throw new Error(`${name} needs a browser: there is no document here.`);
  return made;
}

// A second copy of the package in the same page uses the elements of the first.
if (made) {
  for (const [name, of] of [["lead-review", LeadReviewElement], ["account-pulse", AccountPulseElement]]) {
    if (!customElements.get(name)) customElements.define(name, of);
  }
}
