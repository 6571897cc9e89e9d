import type { Fields } from "./fields.ts";

/** What a column says about whether somebody may sign in. */
export const ACTIVITY_FIELDS = ["inactive", "active", "status", "accountControl", "bannedUntil"] as const;
export type ActivityField = (typeof ACTIVITY_FIELDS)[number];

export function isActivityField(field: string): field is ActivityField {
  return ACTIVITY_FIELDS.some((each) => each === field);
}

/** The names of columns that say it, without case, spaces and underscores. */
export const ACTIVITY_COLUMNS: Readonly<Record<ActivityField, readonly string[]>> = {
  inactive: [
    ...["inactive", "isinactive", "disabled", "isdisabled", "disabledat", "deactivated", "deactivatedat"],
    ...["blocked", "isblocked", "blockedat", "banned", "isbanned", "bannedat"],
    ...["suspended", "issuspended", "suspendedat", "locked", "islocked", "lockedat", "archived", "archivedat"],
  ],
  active: ["active", "isactive", "enabled", "isenabled", "accountenabled"],
  status: ["status", "userstatus", "accountstatus"],
  accountControl: ["useraccountcontrol"],
  bannedUntil: ["banneduntil"],
};

/** The columns that say that a user was deleted. */
export const DELETED_COLUMNS = ["deleted", "isdeleted", "deletedat"];

/** Those of records of a system, where `state` is no place, and a deleted user arrives deactivated. */
const IN_RECORDS = new Map<string, ActivityField>([
  ...ACTIVITY_FIELDS.flatMap((field) => ACTIVITY_COLUMNS[field].map((name) => [name, field] as const)),
  ...DELETED_COLUMNS.map((name) => [name, "inactive"] as const),
  ["state", "status"],
]);

/**
 * Whether a field of a record says that the user may not sign in, also if the system itself has no such field: people add columns to
 * tables and exports. A status that is not known says nothing, because systems have many.
 */
export function isMarkedInactive(fields: Fields): boolean {
  const marks = fields.entries().map(([name, value]) => {
    const field = IN_RECORDS.get(toColumnKey(name));
    if (field === undefined || typeof value === "object") return false;
    return field === "status" ? findStatus(value) === true : isInactive(fields, name, field);
  });
  return marks.includes(true);
}

/** A name without what does not matter. */
export function toColumnKey(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}

/**
 * Whether a value says that somebody may not sign in. A value that cannot be read is a problem of the record, so that no
 * disabled user is imported as active.
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
  const text = fields.text(column)?.trim() ?? "";
  const known = findStatus(text);
  if (known !== undefined) return known;
  if (/^[01]$/.test(text)) return text === "0";
  fields.refuse(
    column,
    `is not known to be active or inactive; --map "${column}=metadata.status" keeps it as metadata`,
  );
  return false;
}

/** Enums are written with their name before the value. */
function findStatus(value: unknown): boolean | undefined {
  const word = toColumnKey(String(value).trim());
  return STATUSES.get(word) ?? STATUSES.get(word.replace(/^(?:user)?(?:state|status)/, ""));
}

/** A ban stays in the row after its end. */
export function isBanned(until: string | undefined): boolean {
  if (until === undefined) return false;
  // PostgreSQL writes `2030-01-31 10:30:00.123456+00` and `infinity`.
  const end = Date.parse(until.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(end) || end > Date.now();
}
