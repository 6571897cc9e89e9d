import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  BulkImportHumanUsersResponse_Error,
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
import { callPatiently, describeFailure, isFailure, type Patience } from "./call-patiently.ts";
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
}

type Result = Extract<Outcome, { outcome: "imported" | "same" | "differs" | "refused" }>;
type WithoutPlace<T> = T extends unknown ? Omit<T, "n" | "file" | "line" | "sourceId"> : never;

/**
 * Imports users of one organization in one call, and compares those whom an earlier import has made.
 *
 * The key of each is for this user in this run. If the run was already made, without a report to continue, the response is that
 * of then, and the user may have been removed since: then the next key makes the user again.
 *
 * @param n The number of the keys, from 1.
 * @returns Their results, in the same order.
 */
export async function importRecords(
  parts: ImportRecordParts,
  orgId: string,
  records: readonly RecordToImport[],
  n = 1,
): Promise<WithoutPlace<Result>[]> {
  const { response, maybeSent } = await send(parts, orgId, records, n);
  if (isFailure(response)) {
    if (records.length === 1) return [toRefusal(response)];
    // Together, they are larger than the server allows.
    const results = await Promise.all(records.map((record) => importRecords(parts, orgId, [record], n)));
    return results.flat();
  }
  return await Promise.all(
    records.map(async (record, at) => {
      const result = response.results[at]?.result;
      switch (result?.case) {
        case "imported": {
          const { value: imported } = result;
          if (await wasRemoved(parts, orgId, imported)) return await importAgain(record);
          const link = imported.initialization?.link;
          return { outcome: "imported", userId: imported.userId, orgId, ...(link === undefined ? {} : { link }) };
        }
        case "error":
          return await toResult(parts, orgId, { ...record, maybeSent: record.maybeSent || maybeSent }, result.value);
        default:
          throw new ConfigError("the target did not say what became of a user");
      }
    }),
  );

  async function importAgain(record: RecordToImport): Promise<WithoutPlace<Result>> {
    const [again] = await importRecords(parts, orgId, [record], n + 1);
    if (again === undefined) throw new Error("a record has no result");
    return again;
  }
}

/** Errors of a request for a user who may exist. The key was used if the export says something else than when it was imported. */
const EXISTING: ReadonlySet<string> = new Set([
  "EXTERNAL_ID_TAKEN",
  "USER_NAME_TAKEN",
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
): Promise<WithoutPlace<Result>> {
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
): Promise<WithoutPlace<Result> | undefined> {
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

function toRefusal({ reason, message, violations }: Failure): WithoutPlace<Result> {
  const problems = violations.map(({ field, description }) => ({ field, description }));
  return {
    outcome: "refused",
    ...(reason === undefined ? {} : { reason }),
    problems: problems.length > 0 ? problems : [{ field: "", description: message }],
  };
}
