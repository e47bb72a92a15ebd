import { mount } from "svelte";
import "lead-workspace/ui";

import Page from "./Page.svelte";

mount(Page, { target: document.querySelector("main") });
