// What every entry point of the client exports.

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
  isWorkspaceError,
} from "./errors.js";
export { filter } from "./filter.js";
export { init } from "./loader.js";
export { customOf, facetOptions, isApprovalStatus, listScores, scoreOf } from "./readers.js";
export { Workspace } from "./workspace.js";
