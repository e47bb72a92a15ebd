// The package's entry: the client, with its Wasm module in a file of its own.

import { asset } from "./asset.js";
import { setDefaultSource } from "./loader.js";

// Written so that bundlers see the file and bring it along.
setDefaultSource(() => asset(new URL("./client.wasm", import.meta.url)));

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
