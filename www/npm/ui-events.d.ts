// What the mounted review reports to its page.

import type { ApprovalStatus } from "./types.js";
import type { View } from "./ui.js";

/** A decision that the server has stored. */
export interface Decision {
  /** Id of the lead. */
  leadId: string;
  /** The approval status after the decision. */
  status: ApprovalStatus;
  /** The approval status before the decision. */
  previous: ApprovalStatus;
}

/** A location in the review. */
export interface Place {
  /** The view; can be passed back as `view`. */
  view: View;
}

/** A changed selection. */
export interface SelectionChange {
  /** The list. */
  list: "leads" | "accounts";
  /** The ids of all rows that are selected now, on any page, in no particular order. */
  ids: string[];
}

/** The lead whose details are open. */
export interface OpenLead {
  /** Id of the lead, or `null` if the details were closed. */
  leadId: string | null;
}

/** The result of a decision on several leads, by ids of the leads. Leads that were decided again since are left out. */
export interface BulkResult {
  /** The status that was decided. */
  status: ApprovalStatus;
  /** Leads that have the status now. */
  updated: string[];
  /** Leads that were certainly not updated. */
  failed: string[];
  /** Leads that may have been updated: no response arrived. */
  uncertain: string[];
}
