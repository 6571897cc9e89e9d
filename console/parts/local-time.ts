/** The time in a field of the type `datetime-local`, to the minute, in the zone of the browser. */
export function toLocalTime(date: Date | undefined): string {
  if (date === undefined) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The time that such a field or an address has. Undefined if it is empty or not a time. */
export function parseTime(text: string | null): Date | undefined {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}
