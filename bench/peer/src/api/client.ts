import { apiKey } from "../lib/connection";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterMs: number | null,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

interface RequestOptions {
  method?: "GET" | "POST" | "PATCH";
  body?: unknown;
  signal?: AbortSignal;
}

export async function request<T>(
  path: string,
  { method = "GET", body, signal }: RequestOptions = {},
): Promise<T> {
  const response = await fetch(path, {
    method,
    signal,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? null : { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) {
    const retryAfter = Number(response.headers.get("retry-after"));
    throw new ApiError(
      response.status,
      await readMessage(response),
      retryAfter > 0 ? retryAfter * 1000 : null,
    );
  }
  return response.json() as Promise<T>;
}

async function readMessage(response: Response): Promise<string> {
  try {
    const { detail } = (await response.json()) as { detail?: string | { msg: string }[] };
    if (typeof detail === "string") return detail;
    if (Array.isArray(detail)) return detail.map((entry) => entry.msg).join("; ");
  } catch {
    // The body is not JSON: fall back to the status line.
  }
  return `${response.status} ${response.statusText}`;
}

const isRateLimited = (error: unknown) => error instanceof ApiError && error.status === 429;

export function retryQuery(failures: number, error: unknown): boolean {
  if (failures >= 4) return false;
  return !(error instanceof ApiError) || isRateLimited(error) || error.status >= 500;
}

/** Failed writes are reported at once; only rate limits are retried. */
export function retryMutation(failures: number, error: unknown): boolean {
  return failures < 4 && isRateLimited(error);
}

export function retryDelay(failures: number, error: unknown): number {
  if (error instanceof ApiError && error.retryAfterMs !== null) return error.retryAfterMs;
  return Math.min(500 * 2 ** failures, 8000);
}
