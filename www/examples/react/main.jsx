import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Workspace } from "lead-workspace";

import { Leads } from "./leads.jsx";

const { baseUrl, apiKey } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const workspace = await Workspace.create({ baseUrl, apiKey });

createRoot(document.querySelector("main")).render(
  <StrictMode>
    <Leads workspace={workspace} />
  </StrictMode>,
);
