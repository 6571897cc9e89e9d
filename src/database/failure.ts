import { DatabaseError } from "pg";
import { type Reason, SignetError } from "../errors.ts";
import { hasErrorCode } from "../files.ts";
import { withoutPartition } from "./partition-names.ts";
import { describeTlsError } from "./tls-errors.ts";

interface Violated {
  readonly reason: Reason;
  readonly message: string;
  /** The field whose value violates the constraint. */
  readonly field: string;
}

function violation(reason: Reason, field: string, problem: string): Violated {
  return { reason, field, message: field === "" ? problem : `${field}: ${problem}` };
}

const PASSKEY_TAKEN = violation("PASSKEY_TAKEN", "passkeys", "one of them is registered already");

/** The errors returned to callers for violations of these constraints. Any other violation is an internal error. */
const CONSTRAINTS = {
  orgs__name: violation("ORG_NAME_TAKEN", "name", "is taken"),
  org_domains__verified: violation("ORG_DOMAIN_TAKEN", "domain", "another organization has verified it"),
  users__user_name: violation("USER_NAME_TAKEN", "userName", "is taken in the organization"),
  user_metadata__external_id: violation(
    "EXTERNAL_ID_TAKEN",
    "external_id",
    "another user of the organization has this value",
  ),
  passkeys__pkey: PASSKEY_TAKEN,
  passkeys__id: PASSKEY_TAKEN,
  user_subjects__subject: violation("SUBJECT_TAKEN", "subject", "another user of the instance has it"),
  members__last_owner: violation(
    "LAST_OWNER",
    "",
    "the instance must have an active user with the role INSTANCE_OWNER, and this is the last one",
  ),
  orgs__removed: violation("ORG_NOT_FOUND", "", "the organization does not exist"),
  orgs__last_owner: violation("LAST_OWNER", "", "no active user of another organization has the role INSTANCE_OWNER"),
  user_idp_links__pkey: violation("IDP_LINK_TAKEN", "idps", "an external user is already linked in the organization"),
  user_idp_links__idp: violation("IDP_NOT_FOUND", "idps", "an identity provider was removed at the same time"),
  user_app_roles__app: violation("APP_NOT_FOUND", "appId", "the application was removed at the same time"),
  apis__identifier: violation("API_IDENTIFIER_TAKEN", "identifier", "is taken"),
  idempotency_keys__pkey: {
    reason: "ABORTED",
    field: "idempotency-key",
    message: "a call with the same idempotency-key is being carried out; try again",
  },
} as const satisfies Record<string, Violated>;

/**
 * Converts a database error to an error for the caller.
 *
 * Its `cause` contains only the SQLSTATE, constraint, table and stack, because a database error's message may quote
 * rows.
 */
export function toSignetError(error: unknown): SignetError {
  if (error instanceof SignetError) return error;
  const cause = redactDatabaseError(error);
  if (error instanceof DatabaseError) {
    const constraint = withoutPartition(error.constraint ?? "");
    const violated = Object.entries(CONSTRAINTS).find(([name]) => name === constraint)?.[1];
    if (violated !== undefined) return toViolated(violated, cause);
    if (isConflict(error)) return new SignetError("ABORTED", "conflict with another change; try again", { cause });
    if (!isUnavailable(error)) return new SignetError("INTERNAL", "internal error", { cause });
  } else if (!isConnectionError(error)) {
    return new SignetError("INTERNAL", "internal error", { cause });
  }
  // The connection may have been lost after the commit.
  const metadata = { outcome: "unknown" };
  return new SignetError("UNAVAILABLE", "the database cannot be reached; try again", { cause, metadata });
}

function toViolated({ reason, message, field }: Violated, cause?: unknown): SignetError {
  return new SignetError(reason, message, { cause, metadata: { field } });
}

/**
 * The error for a violation of `users__user_name`, for a statement that returns no row instead of failing.
 *
 * @param userId The id of the user who has the name, if the caller may know it.
 */
export function userNameTaken(userId?: string): SignetError {
  const { reason, message, field } = CONSTRAINTS.users__user_name;
  return new SignetError(reason, message, { metadata: { field, ...(userId !== undefined && { userId }) } });
}

/** @param field JSON path of the address. */
export function emailTaken(field: string): SignetError {
  return new SignetError("EMAIL_TAKEN", `${field}: is the user name of another user of the organization`, {
    metadata: { field },
  });
}

/** @param field JSON path of the number. */
export function phoneTaken(field: string): SignetError {
  return new SignetError("PHONE_TAKEN", `${field}: is the user name of another user of the organization`, {
    metadata: { field },
  });
}

/** The error for a violation of `user_subjects__subject`, for a subject that is the id of a user. */
export function subjectTaken(): SignetError {
  return toViolated(CONSTRAINTS.user_subjects__subject);
}

/**
 * The error for a violation of `user_idp_links__pkey` by a call that has found out which links are taken.
 *
 * @param fields JSON paths of the links; empty if they have been removed in the meantime.
 */
export function idpLinkTaken(fields: readonly string[]): SignetError {
  const violated = CONSTRAINTS.user_idp_links__pkey;
  if (fields.length === 0) return toViolated(violated);
  const field = fields.join(", ");
  const message = `${field}: the external user is already linked in the organization`;
  return new SignetError(violated.reason, message, { metadata: { field } });
}

/** Whether the error is for a violation of `idempotency_keys__pkey`: a response is stored under the key. */
export function isKeyUsed({ reason, metadata }: SignetError): boolean {
  const used = CONSTRAINTS.idempotency_keys__pkey;
  return reason === used.reason && metadata.field === used.field;
}

/** Whether an error is a serialization failure or a deadlock. The statement had no effect and can be retried. */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === "40001" || error.code === "40P01");
}

/** Whether `lock_timeout` has passed. The statement had no effect. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "55P03";
}

/** Whether the database has rejected a statement and rolled it back. */
export function hasRolledBack(error: unknown): boolean {
  if (!(error instanceof SignetError) || !(error.cause instanceof RedactedError)) return false;
  // 57014: it exceeded statement_timeout, for instance because of a locked row.
  return error.reason !== "UNAVAILABLE" || error.cause.code === "57014";
}

/** The part of a database error that may be logged. */
class RedactedError extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** Removes the message of a database error, because it may quote rows. Returns any other error unchanged. */
export function redactDatabaseError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { code, constraint, table, stack } = error;
  const redacted = new RedactedError(
    `SQLSTATE ${code}${constraint ? `, constraint ${constraint}` : ""}${table ? `, table ${table}` : ""}`,
    code,
  );
  // The first lines of the original stack repeat the message.
  redacted.stack = [
    `DatabaseError: ${redacted.message}`,
    ...(stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)),
  ].join("\n");
  return redacted;
}

/** Whether the database cannot serve at the moment (PostgreSQL documentation, appendix A). */
function isUnavailable({ severity, code: sqlstate = "" }: DatabaseError): boolean {
  // The server closed or rejected the session: for example, the password was changed, or connections are not allowed.
  if (severity === "FATAL" || severity === "PANIC") return true;
  const connection = sqlstate.startsWith("08");
  const resources = sqlstate.startsWith("53");
  // 57P01–57P05: shutdown, startup, database dropped; 57014: canceled by statement_timeout; 25006: read-only standby.
  return connection || resources || sqlstate.startsWith("57") || sqlstate === "25006";
}

/**
 * Whether a connection must not be used again after this error: it is broken or busy, or its server is shutting down or
 * read-only, and a new connection may reach the server's successor.
 */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return isConnectionError(error);
  const { severity, code = "" } = error;
  return severity === "FATAL" || severity === "PANIC" || code.startsWith("08") || ENDING.includes(code);
}

/** 25006: read-only standby; 57P01–57P03: shutdown, crash of another session, startup. */
const ENDING = ["25006", "57P01", "57P02", "57P03"];

/**
 * Whether a database that cannot be used now may be usable soon: nothing accepts its connections, or the server is
 * starting up, shutting down, read-only, or out of connections, memory or disk space.
 */
export function mayPass(error: unknown): boolean {
  if (error instanceof SignetError) return mayPass(error.cause);
  if (error instanceof DatabaseError || error instanceof RedactedError) {
    const { code = "" } = error;
    return code.startsWith("08") || code.startsWith("53") || ENDING.includes(code);
  }
  // Not an error of the file system, and not a host without an address, because then DATABASE_URL is wrong.
  if (hasPath(error) || hasErrorCode(error, "ENOTFOUND")) return false;
  return isConnectionError(error) && describeTlsError(error) === undefined;
}

function hasPath(error: unknown): boolean {
  return error instanceof Error && "path" in error;
}

/** Whether `pg` or the socket failed without an SQLSTATE: refused, reset, closed, or no free connection in time. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The host has several addresses, and connecting to each of them failed.
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if ("syscall" in error || describeTlsError(error) !== undefined) return true;
  return /^(timeout exceeded when trying to connect|connection terminated|client has encountered a connection error|query read timeout|client was closed|cannot use a pool after calling end)/i.test(
    error.message,
  );
}
