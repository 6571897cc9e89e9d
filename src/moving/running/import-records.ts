import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  BulkImportHumanUsersResponse_Error,
  BulkImportHumanUsersResponse_Result,
  ImportHumanUserRequest,
  ImportHumanUserResponse,
} from "../../../gen/signet/v1/management_pb.js";
import { ConfigError } from "../../config/config-error.ts";
import { findByExternalId } from "../checking/find-taken.ts";
import { inOrg } from "../in-org.ts";
import type { MovingApi } from "../moving-api.ts";
import { type Failure, toFailure } from "../read-failure.ts";
import type { Outcome } from "../report/outcome.ts";
import { sha256 } from "../sha-256.ts";
import { callPatiently, describeFailure, isFailure, type Patience, Stopped } from "./call-patiently.ts";
import { compareUser } from "./compare-user.ts";

export interface ImportRecordParts {
  readonly api: MovingApi;
  readonly patience: Patience;
  /** Of the run. */
  readonly key: string;
  /** When the run began to write, by the clock of the target. */
  readonly startedAt: Date;
}

/** A user to import. */
export interface RecordToImport {
  readonly sourceId: string;
  readonly request: ImportHumanUserRequest;
  /** Whether the request may have been sent before, without a response. */
  readonly maybeSent: boolean;
  readonly onResult: (result: Result) => void;
}

type WithoutPlace<T> = T extends unknown ? Omit<T, "n" | "file" | "line" | "sourceId"> : never;
/** What became of a user. */
export type Result = WithoutPlace<Extract<Outcome, { outcome: "imported" | "same" | "differs" | "refused" }>>;

/**
 * Imports users of one organization in one call, and compares those whom an earlier import has made. Each is reported as soon as it
 * has a result, also if others have none.
 *
 * The key of each is for this user in this run. If the run was already made, without a report to continue, the response is that
 * of then, and the user may have been removed since: then the next key makes the user again.
 *
 * @param n The number of the keys, from 1.
 * @throws ConfigError if no user can be imported; Stopped. By then, all others have their result.
 */
export async function importRecords(
  parts: ImportRecordParts,
  orgId: string,
  records: readonly RecordToImport[],
  n = 1,
): Promise<void> {
  const { response, maybeSent } = await send(parts, orgId, records, n);
  if (!isFailure(response)) {
    await waitForAll(
      records.map((record, at) => {
        const known = { ...record, maybeSent: record.maybeSent || maybeSent };
        return finish(parts, orgId, known, response.results[at]?.result, n);
      }),
    );
  } else if (records.length === 1) {
    records[0]?.onResult(toRefusal(response));
  } else {
    // They are too large together, or one of them makes the call fail after others were imported, and the database has no keys.
    const mayExist = !parts.api.isServer;
    await waitForAll(
      records.map((record) => {
        const single = { ...record, maybeSent: record.maybeSent || mayExist };
        return importRecords(parts, orgId, [single], n);
      }),
    );
  }
}

/** Reports the result of a user. */
async function finish(
  parts: ImportRecordParts,
  orgId: string,
  record: RecordToImport,
  result: BulkImportHumanUsersResponse_Result["result"] | undefined,
  n: number,
): Promise<void> {
  switch (result?.case) {
    case "imported": {
      const { value: imported } = result;
      if (await wasRemoved(parts, orgId, imported)) return await importRecords(parts, orgId, [record], n + 1);
      const link = imported.initialization?.link;
      const { userId } = imported;
      const warnings = imported.warnings.map(({ field, reason }) => ({ field, reason }));
      return record.onResult({
        ...{ outcome: "imported", userId, orgId },
        ...(link === undefined ? {} : { link }),
        ...(warnings.length === 0 ? {} : { warnings }),
      });
    }
    case "error":
      return record.onResult(await toResult(parts, orgId, record, result.value));
    default:
      throw new ConfigError("the response has no result for a user");
  }
}

/** Waits for all. Throws an error of one of them, of `Stopped` only if there is no other. */
async function waitForAll(promises: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(promises);
  const errors = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof Stopped)) ?? errors[0];
}

/** Errors of a request for a user who may exist. The key was used if the export says something else than when it was imported. */
const EXISTING: ReadonlySet<string> = new Set([
  "EXTERNAL_ID_TAKEN",
  "USER_NAME_TAKEN",
  "EMAIL_TAKEN",
  "PHONE_TAKEN",
  "IDP_LINK_TAKEN",
  "SUBJECT_TAKEN",
  "PASSKEY_TAKEN",
  "IDEMPOTENCY_KEY_REUSED",
]);

/**
 * Sends users with their keys.
 *
 * @returns Also whether an attempt without a response may have made the users. A server then returns the response of that attempt,
 * but the database itself has no keys.
 */
async function send(
  { api, patience, key }: ImportRecordParts,
  orgId: string,
  records: readonly RecordToImport[],
  n: number,
) {
  const users = await Promise.all(
    records.map(async ({ sourceId, request }) => ({ user: request, idempotencyKey: await toKey(key, sourceId, n) })),
  );
  let attempts = 0;
  const response = await callPatiently(patience, () => {
    attempts += 1;
    return api.management.bulkImportHumanUsers({ users }, inOrg(orgId));
  });
  return { response, maybeSent: attempts > 1 && !api.isServer };
}

/** The result of a user who was refused. */
async function toResult(
  parts: ImportRecordParts,
  orgId: string,
  record: RecordToImport,
  error: BulkImportHumanUsersResponse_Error,
): Promise<Result> {
  const failure = toFailure(error);
  // No user can be imported.
  if (failure.kind === "run") throw new ConfigError(describeFailure(failure));
  const existing = EXISTING.has(error.reason) ? await findExisting(parts, orgId, record) : undefined;
  return existing ?? toRefusal(failure);
}

/** Whether an imported user, who was made before the run began, was removed since. */
async function wasRemoved(
  { api, patience, startedAt }: ImportRecordParts,
  orgId: string,
  imported: ImportHumanUserResponse,
): Promise<boolean> {
  if (!isEarlier(imported, startedAt)) return false;
  const found = await callPatiently(patience, () => api.management.getUserByID({ id: imported.userId }, inOrg(orgId)));
  return isFailure(found) && found.reason === "USER_NOT_FOUND";
}

/** Whether the user was made before the run began. */
function isEarlier({ details }: ImportHumanUserResponse, startedAt: Date): boolean {
  return details?.creationDate !== undefined && timestampDate(details.creationDate).getTime() < startedAt.getTime();
}

/** The nth key for one user in one run: 64 characters. */
async function toKey(key: string, sourceId: string, n: number): Promise<string> {
  return await sha256(`${key} ${sourceId}${n === 1 ? "" : ` ${n}`}`);
}

async function findExisting(
  { api, patience, startedAt }: ImportRecordParts,
  orgId: string,
  { sourceId, request, maybeSent }: RecordToImport,
): Promise<Result | undefined> {
  const user = await callPatiently(patience, async () => ({
    user: await findByExternalId(api, sourceId, inOrg(orgId)),
  }));
  if (isFailure(user)) return toRefusal(user);
  if (user.user === undefined) return undefined;
  const { id: userId, details } = user.user;
  const createdAt = details?.creationDate === undefined ? 0 : timestampDate(details.creationDate).getTime();
  // The response was lost, or the process was killed before it saw it: more than a day ago, or on the database itself.
  if (maybeSent && createdAt >= startedAt.getTime()) return { outcome: "imported", userId, orgId };
  const existing = user.user;
  const fields = await callPatiently(patience, () => compareUser(api, existing, request, inOrg(orgId)));
  if (isFailure(fields)) return toRefusal(fields);
  return fields.length === 0 ? { outcome: "same", userId, orgId } : { outcome: "differs", userId, orgId, fields };
}

function toRefusal({ reason, message, violations }: Failure): Result {
  const problems = violations.map(({ field, description }) => ({ field, description }));
  return {
    outcome: "refused",
    ...(reason === undefined ? {} : { reason }),
    problems: problems.length > 0 ? problems : [{ field: "", description: message }],
  };
}
