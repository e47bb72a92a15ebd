import { createApp } from "vue";
import { Workspace } from "lead-workspace";

import Leads from "./Leads.vue";

const { baseUrl, apiKey } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const workspace = await Workspace.create({ baseUrl, apiKey });

createApp(Leads, { workspace }).mount("main");
