import type { SortingState } from "@tanstack/react-table";
import { useCallback, useMemo, useState } from "react";

import { leadsPage } from "../api/queries";
import type { Lead, QuerySpec } from "../api/types";
import { DataGrid } from "../grid/DataGrid";
import { leadColumns } from "./columns";
import type { Decide } from "./columns";
import { toFilters, toggle } from "./facets";
import type { Selection } from "./facets";
import { FilterRail } from "./FilterRail";
import { LeadPanel } from "./LeadPanel";
import { SearchBox } from "./SearchBox";
import { useSetLeadStatus } from "./useSetLeadStatus";

const getLeadId = (lead: Lead) => lead.lead_id;
const leadAttributes = (lead: Lead) => ({
  "data-lead-id": lead.lead_id,
  "data-status": lead.approval_status,
});

export function LeadsPage() {
  const [sorting, setSorting] = useState<SortingState>([{ id: "icp_score", desc: true }]);
  const [search, setSearch] = useState("");
  const [selection, setSelection] = useState<Selection>({});
  const [openId, setOpenId] = useState<string | null>(null);

  const spec = useMemo<QuerySpec>(
    () => ({
      filters: toFilters(selection),
      search: search || null,
      sort_by: sorting[0]?.id ?? "icp_score",
      sort_dir: (sorting[0]?.desc ?? true) ? "desc" : "asc",
    }),
    [selection, search, sorting],
  );

  const onToggle = useCallback((field: string, value: string) => {
    setSelection((current) => toggle(current, field, value));
  }, []);
  const openLead = useCallback((lead: Lead) => setOpenId(lead.lead_id), []);
  const closeLead = useCallback(() => setOpenId(null), []);

  const { mutate, error, variables } = useSetLeadStatus();
  const columns = useMemo(() => {
    const decide: Decide = (lead, status) => mutate({ lead, status });
    return leadColumns(decide);
  }, [mutate]);

  return (
    <main className="workspace">
      <FilterRail selection={selection} onToggle={onToggle} />
      <div className="content">
        <div className="toolbar">
          <SearchBox onSearch={setSearch} />
          {error && (
            <p role="alert" className="alert">
              {variables?.lead.name} was not updated: {error.message}
            </p>
          )}
        </div>
        <DataGrid
          label="Leads"
          columns={columns}
          pageOptions={leadsPage}
          spec={spec}
          sorting={sorting}
          onSortingChange={setSorting}
          getRowId={getLeadId}
          rowAttributes={leadAttributes}
          activeId={openId}
          onOpen={openLead}
        />
      </div>
      {openId && <LeadPanel leadId={openId} onClose={closeLead} />}
    </main>
  );
}
