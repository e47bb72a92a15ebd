import type { ApprovalStatus } from "../api/types";
import { humanise } from "../lib/format";

export function StatusBadge({ status }: { status: ApprovalStatus }) {
  return (
    <span className="badge" data-tone={status}>
      {humanise(status)}
    </span>
  );
}
