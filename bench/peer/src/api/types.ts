export type ApprovalStatus = "approved" | "pending_approval" | "rejected" | "filtered";
export type SortDir = "asc" | "desc";

export interface Page<T> {
  data: T[];
  total: number;
  has_more: boolean;
  page: number;
  page_size: number;
}

export interface FilterSpec {
  field: string;
  operator: "in";
  value: string[];
}

export interface QuerySpec {
  filters: FilterSpec[];
  search: string | null;
  sort_by: string;
  sort_dir: SortDir;
}

export interface CurrentAccount {
  account_id: string;
  name: string;
  industry?: string | null;
  staff_count_range?: string | null;
  title?: string | null;
  location?: string | null;
  tagline?: string | null;
}

export interface ListScore {
  list_id?: string;
  icp_score?: number | null;
  icp_tier?: string | null;
  icp_reasoning?: string | null;
}

export interface Lead {
  lead_id: string;
  name: string;
  headline?: string | null;
  profile_data?: { location?: string | null } | null;
  current_account?: CurrentAccount | null;
  list_scores?: ListScore[] | null;
  approval_status: ApprovalStatus;
  created_at: string;
}

export interface LeadDetail {
  id: string;
  name: string;
  headline?: string | null;
  profile_url?: string | null;
  is_premium?: boolean;
  profile_data?: { location?: string | null; connections_count?: number | null } | null;
  current_account?: CurrentAccount | null;
  approval_status: ApprovalStatus;
  list_scores?: ListScore[] | null;
  lead_lists?: { lead_list_id: string; lead_list_name: string; added_at: string }[] | null;
  campaigns?: { campaign_lead_id: string; campaign_name: string; lead_status: string }[] | null;
  intents?: { id: string; event_type: string; created_at: string }[] | null;
}

export interface LeadStatusUpdate {
  lead_id: string;
  approval_status: ApprovalStatus;
}

/** Facet arrays have no documented element shape; see `toOptions`. */
export type FacetValue = string | Record<string, unknown>;

export interface Facets {
  company_sizes: FacetValue[];
  icp_tiers: FacetValue[];
  intent_types: FacetValue[];
  lists: FacetValue[];
  campaigns: FacetValue[];
}

export interface FacetItem {
  value: string;
  label: string;
  count: number;
}

export interface FacetSearch {
  field: string;
  items: FacetItem[];
  total_distinct: number;
  has_more: boolean;
}
