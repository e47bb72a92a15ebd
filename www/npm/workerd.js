// The package's entry point in Cloudflare Workers, which compile no Wasm at run time: the module is imported as a file
// and arrives compiled.

import module from "./client.wasm";
import { setDefaultSource } from "./loader.js";

export * from "./exports.js";

setDefaultSource(() => module);
