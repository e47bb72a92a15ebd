// The types of `lead-workspace/testing`.

import { Workspace, type ApprovalStatus } from "lead-workspace";
import { createTestWorkspace, type TestWorkspace } from "lead-workspace/testing";

const server: TestWorkspace = await createTestWorkspace({
  leads: 10,
  seed: 2,
  now: new Date(0),
  apiKey: "k",
  tenantId: "t",
  faults: { slow: { ms: 5, method: "GET" }, offline: undefined },
});

const remove: () => void = server.faults.add("server-error", { status: 503, times: 2, path: "/api/jobs" });
remove();
server.faults.add("broken-stream", { times: 2 });
server.faults.clear();
server.advance(5);
server.reset();

// @ts-expect-error: there is no such fault
server.faults.add("earthquake");
// @ts-expect-error: an option of another fault
server.faults.add("slow", { status: 500 });
// @ts-expect-error: the list is filled by the workspace
server.requests.push();

const status: ApprovalStatus | null | undefined = server.lead("lead")?.approval_status;
const [request] = server.requests;
const code: number | undefined = request?.status;
const response: Response = await server.fetch("/api/leads/facets", { headers: { authorization: "Bearer k" } });
const time: number = server.now.getTime();

export const used = [Workspace, status, code, response, time];
