// What the examples of the README use without declaring it; `tests/package/fixtures/readme.mjs` has the values.

import type * as all from "lead-workspace";

declare global {
  const AuthError: typeof all.AuthError;
  const Workspace: typeof all.Workspace;
  const customOf: typeof all.customOf;
  const filter: typeof all.filter;
  const isWorkspaceError: typeof all.isWorkspaceError;
  const error: unknown;
  const RateLimitError: typeof all.RateLimitError;
  const ValidationError: typeof all.ValidationError;
  const apiKey: string;
  const baseUrl: string;
  const ws: all.Workspace;
  const pending: all.LeadQuery;
  const bar: HTMLProgressElement;
  const review: ReturnType<typeof import("lead-workspace/ui").mountLeadReview>;
  // The pages of the examples contain what their scripts look for.
  interface ParentNode {
    querySelector<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name];
  }
  function askForKey(): void;
  function showCountdown(milliseconds: number | null, until?: number | null): void;
}
