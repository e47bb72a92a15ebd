import { useState } from "react";
import { AuthError } from "lead-workspace";
import { useLeadStatus, useLeads, useReview, useReviewSnapshot } from "lead-workspace/react";

export function Leads({ workspace }) {
  const [search, setSearch] = useState("");
  const review = useReview(workspace);
  const { page, error, isLoading, reload } = useLeads(workspace, review, { search: search || null, page_size: 50 });
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
      <Progress review={review} />
      {error && (
        <p role="alert">
          {error instanceof AuthError ? "The workspace rejected this key." : error.message}{" "}
          <button onClick={reload}>Read again</button>
        </p>
      )}
      <p>{isLoading ? "Loading…" : page && `${page.total} found`}</p>
      <table>
        <tbody>
          {page?.data.map((lead) => (
            <Lead key={lead.lead_id} review={review} lead={lead} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Progress({ review }) {
  const { pending, failed, uncertain, canUndo, isOnline } = useReviewSnapshot(review);
  const notSaved = failed + uncertain;
  return (
    <p>
      <span role="status">
        {pending > 0 ? `${pending} on their way` : notSaved > 0 ? `${notSaved} not saved` : "All saved"}
        {!isOnline && ", offline"}
      </span>{" "}
      <button disabled={!canUndo} onClick={() => review.undo()}>
        Undo
      </button>{" "}
      {notSaved > 0 && <button onClick={() => review.retry()}>Send again</button>}
    </p>
  );
}

function Lead({ review, lead }) {
  const { phase, reason } = useLeadStatus(review, lead.lead_id);
  return (
    <tr>
      <th scope="row">
        {lead.name}
        <small>{reason ?? lead.headline}</small>
      </th>
      <td data-phase={phase}>{lead.approval_status}</td>
      <td>
        <button aria-label={`Approve ${lead.name}`} onClick={() => review.decide(lead, "approved")}>
          Approve
        </button>{" "}
        <button aria-label={`Reject ${lead.name}`} onClick={() => review.decide(lead, "rejected")}>
          Reject
        </button>
      </td>
    </tr>
  );
}
