import { useQuery } from "@tanstack/react-query";
import { memo, useMemo, useState } from "react";

import { facetSearch, leadFacets } from "../api/queries";
import { formatNumber } from "../lib/format";
import { useDebouncedValue } from "../lib/useDebouncedValue";
import { FACET_GROUPS, toOptions } from "./facets";
import type { Option, Selection } from "./facets";

type OnToggle = (field: string, value: string) => void;

const NONE: readonly string[] = [];

interface FilterRailProps {
  selection: Selection;
  onToggle: OnToggle;
}

export const FilterRail = memo(function FilterRail({ selection, onToggle }: FilterRailProps) {
  const { data } = useQuery(leadFacets);
  const groups = useMemo(
    () => FACET_GROUPS.map((group) => ({ ...group, options: toOptions(data?.[group.source], group.format) })),
    [data],
  );
  return (
    <aside className="rail" aria-label="Filters">
      {groups.map(({ field, title, options }) => (
        <FacetGroup
          key={field}
          field={field}
          title={title}
          options={options}
          selected={selection[field] ?? NONE}
          onToggle={onToggle}
        />
      ))}
      <CompanyFacet selected={selection.company ?? NONE} onToggle={onToggle} />
    </aside>
  );
});

interface FacetGroupProps {
  field: string;
  title: string;
  options: readonly Option[];
  selected: readonly string[];
  onToggle: OnToggle;
}

const FacetGroup = memo(function FacetGroup({ field, title, options, selected, onToggle }: FacetGroupProps) {
  return (
    <fieldset className="facet">
      <legend>{title}</legend>
      {options.map(({ value, label }) => (
        <FacetCheckbox
          key={value}
          label={label}
          checked={selected.includes(value)}
          onToggle={() => onToggle(field, value)}
        />
      ))}
    </fieldset>
  );
});

interface FacetCheckboxProps {
  label: string;
  count?: number;
  checked: boolean;
  onToggle: () => void;
}

function FacetCheckbox({ label, count, checked, onToggle }: FacetCheckboxProps) {
  return (
    <label className="option">
      <input type="checkbox" checked={checked} onChange={onToggle} />
      <span className="option-label">{label}</span>
      {count !== undefined && <span className="option-count">{formatNumber(count)}</span>}
    </label>
  );
}

interface CompanyFacetProps {
  selected: readonly string[];
  onToggle: OnToggle;
}

const CompanyFacet = memo(function CompanyFacet({ selected, onToggle }: CompanyFacetProps) {
  const [text, setText] = useState("");
  const { data } = useQuery(facetSearch("company", useDebouncedValue(text.trim(), 150)));
  const found = data?.items ?? [];
  const kept = selected.filter((value) => !found.some((item) => item.value === value));
  return (
    <fieldset className="facet">
      <legend>Company</legend>
      <input
        type="text"
        className="field"
        aria-label="Find a company"
        placeholder="Find a company"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {kept.map((value) => (
        <FacetCheckbox key={value} label={value} checked onToggle={() => onToggle("company", value)} />
      ))}
      {found.map(({ value, label, count }) => (
        <FacetCheckbox
          key={value}
          label={label}
          count={count}
          checked={selected.includes(value)}
          onToggle={() => onToggle("company", value)}
        />
      ))}
    </fieldset>
  );
});
