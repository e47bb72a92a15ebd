import { createApp } from "vue";
import "lead-workspace/ui";

import Page from "./Page.vue";

createApp(Page).mount("main");
