import { useMemo, useState } from "react";
import { AuthError } from "lead-workspace";

import { useLeads } from "./use-leads.js";

export function Leads({ workspace }) {
  const [search, setSearch] = useState("");
  const query = useMemo(
    () => ({
      filters: [{ field: "approval_status", operator: "eq", value: "pending_approval" }],
      search: search || null,
      page_size: 10,
    }),
    [search],
  );
  const { page, error } = useLeads(workspace, query);
  return (
    <>
      <h1>Leads to review</h1>
      <input
        type="search"
        aria-label="Search leads"
        placeholder="Search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {error ? <Trouble error={error} /> : page ? <p>{page.total} found</p> : <p>Loading…</p>}
      <ul>
        {page?.data.map((lead) => (
          <Lead key={lead.lead_id} workspace={workspace} lead={lead} />
        ))}
      </ul>
    </>
  );
}

function Trouble({ error }) {
  const text =
    error instanceof AuthError ? "The workspace rejected this key." : error.message;
  return <p role="alert">{text}</p>;
}

function Lead({ workspace, lead }) {
  const [decision, setDecision] = useState({ status: lead.approval_status });
  async function approve() {
    setDecision({ ...decision, saving: true, error: null });
    try {
      const { approval_status } = await workspace.updateLead(lead.lead_id, "approved");
      setDecision({ status: approval_status });
    } catch (error) {
      setDecision({ ...decision, saving: false, error });
    }
  }
  return (
    <li>
      <div>
        {lead.name}
        <small>{decision.error ? `Not saved: ${decision.error.message}` : lead.headline}</small>
      </div>
      {decision.status === "approved" ? (
        "approved"
      ) : (
        <button aria-label={`Approve ${lead.name}`} disabled={decision.saving} onClick={approve}>
          Approve
        </button>
      )}
    </li>
  );
}
