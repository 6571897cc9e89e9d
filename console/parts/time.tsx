import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { language } from "../state/language.ts";

/** A time in the zone of the browser; the exact one in the title. */
export function Time({ at }: { at: Timestamp | undefined }) {
  if (at === undefined) return <span class="quiet">–</span>;
  const date = timestampDate(at);
  const shown = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(date);
  const exact = date.toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {shown}
    </time>
  );
}

export function formatNumber(number: number | bigint): string {
  return new Intl.NumberFormat(language.value).format(number);
}
