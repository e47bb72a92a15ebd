// The review UI for pages of others: `mountLeadReview` and the element `<lead-review>`.

import { asset } from "./asset.js";
import { optionsOf } from "./internal.js";
import { makeLeadReview } from "./lead-review.js";
import instantiate, { mount_lead_review } from "./review.js";

// Written so that bundlers see the files and bring them along.
const wasm = () => asset(new URL("./review.wasm", import.meta.url));
const style = asset(new URL("./style.css", import.meta.url));

let loading;

/** Loads the module, once for the whole page; a load that failed may be tried again. */
function load() {
  loading ??= instantiate({ module_or_path: wasm() }).then(
    () => ({ mount_lead_review }),
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

// Where there is no document, as on a server that renders pages, importing must do no harm.
const made = globalThis.customElements && makeLeadReview({ load, style, optionsOf });

export const LeadReviewElement = made?.LeadReviewElement;

export function mountLeadReview(element, options) {
  if (!made) throw new Error("mountLeadReview needs a browser: there is no document here.");
  return made.mountLeadReview(element, options);
}

// A second copy of the package in the same page uses the element of the first.
if (made && !customElements.get("lead-review")) {
  customElements.define("lead-review", LeadReviewElement);
}
