// The page renders; the worker sends the requests.

const status = document.querySelector('[role="status"]');
const list = document.querySelector("ul");
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

worker.onmessage = ({ data: { seen, tiers, done, error } }) => {
  status.textContent = error ?? (done ? `${seen} leads` : `${seen} leads so far…`);
  if (error) status.setAttribute("role", "alert");
  list.replaceChildren(
    ...Object.entries(tiers ?? {}).sort().map(([tier, count]) => {
      const item = document.createElement("li");
      item.textContent = `Tier ${tier}: ${count}`;
      return item;
    }),
  );
};

worker.postMessage(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
