import { formatNumber } from "./time.tsx";

/** The API counts no further. */
export const MOST_COUNTED = 10_000;

/** The number of items of a list, such as `10,000+`. */
export function formatCount(total: number | bigint): string {
  return total >= MOST_COUNTED ? `${formatNumber(MOST_COUNTED)}+` : formatNumber(total);
}
