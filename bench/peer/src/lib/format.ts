const dateFormat = new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "short", year: "numeric" });
const numberFormat = new Intl.NumberFormat("en-GB");

export const formatDate = (timestamp: string) => dateFormat.format(new Date(timestamp));
export const formatNumber = (value: number) => numberFormat.format(value);
export const formatScore = (score: number | null | undefined) => (score == null ? "–" : score.toFixed(1));

/** `pending_approval` → `Pending approval` */
export function humanise(value: string): string {
  const words = value.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
