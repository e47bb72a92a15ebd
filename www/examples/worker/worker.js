// Reads all leads of the workspace, page by page, and counts them by tier.

import { Workspace } from "lead-workspace";

self.onmessage = async ({ data: { baseUrl, apiKey } }) => {
  try {
    const workspace = await Workspace.create({ baseUrl, apiKey });
    const tiers = {};
    let seen = 0;
    for await (const lead of workspace.leads({ page_size: 100 })) {
      const tier = lead.list_scores?.[0]?.icp_tier ?? "none";
      tiers[tier] = (tiers[tier] ?? 0) + 1;
      seen += 1;
      if (seen % 100 === 0) self.postMessage({ seen, tiers });
    }
    self.postMessage({ seen, tiers, done: true });
  } catch (error) {
    self.postMessage({ error: error.message });
  }
};
