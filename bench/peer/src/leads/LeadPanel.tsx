import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { leadDetail } from "../api/queries";
import { formatDate, formatScore, humanise } from "../lib/format";
import { StatusBadge } from "./StatusBadge";

interface LeadPanelProps {
  leadId: string;
  onClose: () => void;
}

export function LeadPanel({ leadId, onClose }: LeadPanelProps) {
  const { data: lead, isPending, error } = useQuery(leadDetail(leadId));

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape") onClose();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [onClose]);

  return (
    <aside className="panel" aria-label="Lead details" aria-busy={isPending}>
      <button type="button" className="panel-close" aria-label="Close details" onClick={onClose}>
        ×
      </button>
      {error && <p role="alert">{error.message}</p>}
      {lead && (
        <>
          <h2>{lead.name}</h2>
          <p>{lead.headline}</p>
          <StatusBadge status={lead.approval_status} />
          <dl>
            <dt>Company</dt>
            <dd>{lead.current_account?.name}</dd>
            <dt>Industry</dt>
            <dd>{lead.current_account?.industry}</dd>
            <dt>Location</dt>
            <dd>{lead.profile_data?.location}</dd>
            <dt>Company size</dt>
            <dd>{lead.current_account?.staff_count_range}</dd>
          </dl>
          <h3>Scores</h3>
          <ul>
            {lead.list_scores?.map((score, index) => (
              <li key={score.list_id ?? index}>
                {score.icp_tier} · {formatScore(score.icp_score)} — {score.icp_reasoning}
              </li>
            ))}
          </ul>
          <h3>Lists</h3>
          <ul>
            {lead.lead_lists?.map((list) => (
              <li key={list.lead_list_id}>
                {list.lead_list_name}, added {formatDate(list.added_at)}
              </li>
            ))}
          </ul>
          <h3>Campaigns</h3>
          <ul>
            {lead.campaigns?.map((campaign) => (
              <li key={campaign.campaign_lead_id}>
                {campaign.campaign_name}: {humanise(campaign.lead_status)}
              </li>
            ))}
          </ul>
          <h3>Intent</h3>
          <ul>
            {lead.intents?.map((intent) => (
              <li key={intent.id}>
                {humanise(intent.event_type)}, {formatDate(intent.created_at)}
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}
