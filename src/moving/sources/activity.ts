import type { Fields } from "./fields.ts";

/** What a column says about whether somebody may sign in. */
export const ACTIVITY_FIELDS = ["inactive", "active", "status", "accountControl", "bannedUntil"] as const;
export type ActivityField = (typeof ACTIVITY_FIELDS)[number];

/**
 * Whether a value says that somebody may not sign in. A value that cannot be read is a problem of the record, so that nobody who is
 * disabled arrives active.
 */
export function isInactive(fields: Fields, column: string, field: ActivityField): boolean {
  switch (field) {
    case "inactive":
      return fields.flag(column) === true;
    case "active":
      return fields.flag(column) === false;
    case "status":
      return readStatus(fields, column);
    case "accountControl":
      return ((fields.count(column) ?? 0) & ACCOUNT_DISABLED) !== 0;
    case "bannedUntil":
      return isBanned(fields.text(column));
    default:
      return field satisfies never;
  }
}

/** The flag ACCOUNTDISABLE of Active Directory's `userAccountControl`. */
const ACCOUNT_DISABLED = 2;

const STATUSES = new Map([
  // Those of Okta are among them. The lock of a password, which ends, is not that of the user.
  ...["active", "enabled", "confirmed", "verified", "normal", "ok", "staged", "provisioned", "recovery"].map(
    toStatus(false),
  ),
  ...["passwordexpired", "lockedout"].map(toStatus(false)),
  ...["inactive", "disabled", "deactivated", "suspended", "deprovisioned", "blocked", "banned", "locked"].map(
    toStatus(true),
  ),
  ...["archived", "deleted", "closed", "terminated"].map(toStatus(true)),
]);

function toStatus(inactive: boolean) {
  return (word: string) => [word, inactive] as const;
}

function readStatus(fields: Fields, column: string): boolean {
  const text = fields.text(column)?.trim().toLowerCase() ?? "";
  const known = STATUSES.get(text.replaceAll(/[\s_-]/g, ""));
  if (known !== undefined) return known;
  if (/^[01]$/.test(text)) return text === "0";
  fields.refuse(
    column,
    `is not known to be active or inactive; --map "${column}=metadata.status" keeps it as metadata`,
  );
  return false;
}

/** A ban stays in the row after its end. */
export function isBanned(until: string | undefined): boolean {
  if (until === undefined) return false;
  // PostgreSQL writes `2030-01-31 10:30:00.123456+00` and `infinity`.
  const end = Date.parse(until.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(end) || end > Date.now();
}
