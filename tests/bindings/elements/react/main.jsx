import { useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import "lead-workspace/react-ui";

const connection = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const details = (lead) => document.createTextNode(`notes on ${lead.id}`);

function Page() {
  const [word, setWord] = useState("first");
  const [count, setCount] = useState(0);
  const [sent, setSent] = useState("");
  const [isShown, setShown] = useState(true);
  const columns = useMemo(() => [{ id: "word", label: "Word", value: () => word }], [word]);
  const actions = useMemo(() => [{ id: "send", label: "Send", for: "leads", run: ([id]) => setSent(id) }], []);
  return (
    <>
      <button onClick={() => setWord("second")}>Change</button>
      <button onClick={() => setShown(false)}>Remove</button>
      <output>{count} selected by the page, sent {sent}</output>
      {isShown && (
        <lead-review
          {...connection}
          view="leads?tab=all"
          hostName="Harbour"
          columns={columns}
          actions={actions}
          details={details}
          onselection={({ detail }) => setCount(detail.ids.length)}
        />
      )}
    </>
  );
}

createRoot(document.querySelector("main")).render(<Page />);
