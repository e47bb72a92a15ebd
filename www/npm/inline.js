// The package's other entry point: the client with its Wasm module inlined, for pages that cannot load a
// second file. A quarter larger over the wire, so not the default, except on servers (the condition `node`): when they
// bundle the package, as Next.js does, there is no file next to the script.

import { setDefaultSource } from "./loader.js";

const BASE64 = "@wasm@";

setDefaultSource(() => Uint8Array.from(atob(BASE64), (char) => char.charCodeAt(0)));

export * from "./exports.js";
