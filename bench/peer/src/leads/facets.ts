import type { Facets, FacetValue, FilterSpec } from "../api/types";
import { humanise } from "../lib/format";

export interface Option {
  value: string;
  label: string;
}

/** Selected values by filter field; fields with nothing selected are absent. */
export type Selection = Readonly<Record<string, readonly string[]>>;

interface FacetGroupSpec {
  field: string;
  title: string;
  source: keyof Facets;
  format?: (value: string) => string;
}

export const FACET_GROUPS: readonly FacetGroupSpec[] = [
  { field: "icp_tier", title: "ICP tier", source: "icp_tiers" },
  { field: "company_size", title: "Company size", source: "company_sizes" },
  { field: "intent_type", title: "Intent", source: "intent_types", format: humanise },
  { field: "list_id", title: "List", source: "lists" },
  { field: "campaign_id", title: "Campaign", source: "campaigns" },
];

/** The API leaves some facet element shapes open: accept strings and `*_id` / `*_name` objects. */
export function toOptions(
  values: readonly FacetValue[] = [],
  format: (value: string) => string = String,
): Option[] {
  return values.flatMap((entry) => {
    if (typeof entry === "string") return [{ value: entry, label: format(entry) }];
    const find = (suffix: string) => Object.entries(entry).find(([key]) => key.endsWith(suffix))?.[1];
    const value = entry.value ?? find("_id");
    if (value == null) return [];
    return [{ value: String(value), label: String(entry.label ?? find("_name") ?? value) }];
  });
}

export function toggle(selection: Selection, field: string, value: string): Selection {
  const current = selection[field] ?? [];
  const next = current.includes(value) ? current.filter((other) => other !== value) : [...current, value];
  const { [field]: _removed, ...rest } = selection;
  return next.length > 0 ? { ...rest, [field]: next } : rest;
}

export function toFilters(selection: Selection): FilterSpec[] {
  return Object.entries(selection).map(([field, value]) => ({ field, operator: "in", value: [...value] }));
}
