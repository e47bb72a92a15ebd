// The same page with the review of this package.

import { Workspace } from "lead-workspace";

import { LEADS_KEY, openList } from "./list.mjs";

const UNSAVED = ["failed", "uncertain"];

export async function open(wasm) {
  const workspace = await Workspace.create({
    baseUrl: "http://127.0.0.1",
    apiKey: "lwk_1_secret",
    fetch: (url, init) => fetch(url, init),
    logLevel: "off",
    wasm,
  });
  const review = workspace.review();
  const { client, page } = openList(({ signal }) => workspace.queryLeads({ page_size: 100 }, { signal }));

  return {
    rows: () => page() && review.apply(page()).data,
    decide: (ids, status) => void review.decide(ids, status),
    undo() {
      const undone = review.undo();
      return (undone?.leads ?? []).map((id) => [id, review.status(id).shown]);
    },
    refetch: () => client.refetchQueries({ queryKey: LEADS_KEY }),
    isToldUnsaved: (id) => UNSAVED.includes(review.status(id).phase),
  };
}
