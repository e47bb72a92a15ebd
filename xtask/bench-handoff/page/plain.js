// What JavaScript does without the readers.

const FIELDS = [
  "lead_id", "provider_id", "name", "headline", "profile_url", "profile_picture_url", "profile_data",
  "custom_data", "current_account", "list_scores", "intent", "import_job_id", "approval_status",
  "created_at", "chat_id", "resolved_timezone", "timezone_label", "lists", "campaigns",
];

const UTF8 = new TextDecoder();

/** The baseline: nothing checked, nothing filled in, and no Wasm. */
export function parse(body) {
  return JSON.parse(UTF8.decode(body));
}

/** The baseline, and null for what is absent. */
export function parseAndFill(body) {
  const page = parse(body);
  for (const row of page.data) for (const name of FIELDS) row[name] ??= null;
  return page;
}
