import { gridColumns } from "../grid/features";
import type { ApprovalStatus, Lead } from "../api/types";
import { formatDate, formatScore } from "../lib/format";
import { StatusBadge } from "./StatusBadge";

export type Decide = (lead: Lead, status: ApprovalStatus) => void;

const column = gridColumns<Lead>();

/** Column ids are the API's `sort_by` values. */
export function leadColumns(decide: Decide) {
  return column.columns([
    column.display({
      id: "select",
      header: () => <span className="sr-only">Select</span>,
      cell: ({ row }) => (
        <input
          type="checkbox"
          aria-label={`Select ${row.original.name}`}
          checked={row.getIsSelected()}
          onClick={(event) => event.stopPropagation()}
          onChange={row.getToggleSelectedHandler()}
        />
      ),
      meta: { width: "32px" },
    }),
    column.accessor("name", {
      header: "Name",
      sortDescFirst: false,
      meta: { width: "minmax(105px, 1.1fr)" },
    }),
    column.accessor((lead) => lead.current_account?.title ?? lead.headline, {
      id: "title",
      header: "Title",
      sortDescFirst: false,
      meta: { width: "minmax(125px, 1.4fr)" },
    }),
    column.accessor((lead) => lead.current_account?.name, {
      id: "company",
      header: "Company",
      sortDescFirst: false,
      meta: { width: "minmax(115px, 1.2fr)" },
    }),
    column.accessor((lead) => lead.current_account?.industry, {
      id: "industry",
      header: "Industry",
      sortDescFirst: false,
      meta: { width: "minmax(100px, 1fr)" },
    }),
    column.accessor((lead) => lead.profile_data?.location, {
      id: "location",
      header: "Location",
      sortDescFirst: false,
      meta: { width: "minmax(100px, 1fr)" },
    }),
    column.accessor((lead) => lead.list_scores?.[0]?.icp_score, {
      id: "icp_score",
      header: "ICP score",
      sortDescFirst: true,
      cell: ({ getValue }) => formatScore(getValue()),
      meta: { width: "100px", align: "end" },
    }),
    column.accessor((lead) => lead.list_scores?.[0]?.icp_tier, {
      id: "icp_tier",
      header: "ICP tier",
      sortDescFirst: true,
      meta: { width: "84px" },
    }),
    column.accessor("approval_status", {
      header: "Status",
      sortDescFirst: false,
      cell: ({ getValue }) => <StatusBadge status={getValue()} />,
      meta: { width: "142px" },
    }),
    column.accessor("created_at", {
      header: "Created",
      sortDescFirst: true,
      cell: ({ getValue }) => formatDate(getValue()),
      meta: { width: "106px" },
    }),
    column.display({
      id: "actions",
      header: () => <span className="sr-only">Decision</span>,
      cell: ({ row }) => <DecisionButtons lead={row.original} decide={decide} />,
      meta: { width: "164px" },
    }),
  ]);
}

const DECISIONS = [
  { status: "approved", verb: "Approve" },
  { status: "rejected", verb: "Reject" },
] as const;

function DecisionButtons({ lead, decide }: { lead: Lead; decide: Decide }) {
  return DECISIONS.map(({ status, verb }) => (
    <button
      key={status}
      type="button"
      className="decision"
      aria-label={`${verb} ${lead.name}`}
      disabled={lead.approval_status === status}
      onClick={(event) => {
        event.stopPropagation();
        decide(lead, status);
      }}
    >
      {verb}
    </button>
  ));
}
