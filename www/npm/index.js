// The package's entry point: the client, with its Wasm module in a separate file.

import { asset } from "./asset.js";
import { setDefaultSource } from "./loader.js";

// Written in the form in which bundlers detect the file and include it.
setDefaultSource(() => asset(new URL("./client.wasm", import.meta.url)));

export * from "./exports.js";
