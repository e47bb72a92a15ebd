import { mount } from "svelte";
import { Workspace } from "lead-workspace";

import Leads from "./Leads.svelte";

const { baseUrl, apiKey } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const workspace = await Workspace.create({ baseUrl, apiKey });

mount(Leads, { target: document.querySelector("main"), props: { workspace } });
