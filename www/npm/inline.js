// The package's other entry: the client with its Wasm module inside, for pages that can load no
// second file. A third larger over the wire, so not the default.

import { setDefaultSource } from "./loader.js";

const BASE64 = "@wasm@";

setDefaultSource(() => Uint8Array.from(atob(BASE64), (char) => char.charCodeAt(0)));

export { init } from "./loader.js";
export { Workspace } from "./workspace.js";
export {
  ArgumentError,
  AuthError,
  DecodeError,
  NetworkError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitError,
  TimeoutError,
  ValidationError,
  WorkspaceError,
} from "./errors.js";
