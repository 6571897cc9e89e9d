import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  BulkImportHumanUsersResponse_Error,
  BulkImportHumanUsersResponse_Result,
  ImportHumanUserRequest,
  ImportHumanUserResponse,
} from "../../../gen/signet/v1/management_pb.js";
import type { User } from "../../../gen/signet/v1/user_pb.js";
import { ConfigError } from "../../config/config-error.ts";
import { findTaken } from "../checking/find-taken.ts";
import { inOrg } from "../in-org.ts";
import type { MovingApi } from "../moving-api.ts";
import { type Failure, toFailure } from "../read-failure.ts";
import type { Outcome } from "../report/outcome.ts";
import { sha256 } from "../sha-256.ts";
import { callPatiently, describeFailure, isFailure, type Patience, Stopped } from "./call-patiently.ts";
import { compareUser } from "./compare-user.ts";
import type { UpdatePlan } from "./plan-update.ts";
import { createMetadataReader } from "./stored-values.ts";
import { findUsers } from "./undo-users.ts";
import { type UpdateParts, updateUser } from "./update-user.ts";

interface ImportRecordParts {
  readonly api: MovingApi;
  readonly patience: Patience;
  /** Of the run. */
  readonly key: string;
  /** When the run began to write, by the clock of the target. */
  readonly startedAt: Date;
  /** Present if users of earlier imports are updated. */
  readonly update?: UpdateParts | undefined;
}

/** A user to import. */
export interface RecordToImport {
  /** The number of the record. */
  readonly n: number;
  readonly sourceId: string;
  readonly request: ImportHumanUserRequest;
  /** Whether the request may have been sent before, without a response. */
  readonly maybeSent: boolean;
  readonly onResult: (result: Result) => void;
}

type WithoutPlace<T> = T extends unknown ? Omit<T, "n" | "file" | "line" | "sourceId"> : never;
/** What became of a user. */
export type Result = WithoutPlace<
  Extract<Outcome, { outcome: "imported" | "same" | "updated" | "differs" | "refused" }>
>;

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
    const results = response.results.map(({ result }) => result);
    const refused = records.filter((_, at) => mayExist(results[at]));
    const existing = findExisting(parts, orgId, refused);
    await waitForAll(
      records.map((record, at) => {
        const known = { ...record, maybeSent: record.maybeSent || maybeSent };
        return finish(parts, orgId, known, results[at], n, existing);
      }),
    );
  } else if (records.length === 1) {
    records[0]?.onResult(toRefusal(response));
  } else {
    // They are too large together, or one of them makes the call fail after others were imported, and the database has no keys.
    const areMaybeSent = !parts.api.isServer;
    await waitForAll(
      records.map((record) => {
        const single = { ...record, maybeSent: record.maybeSent || areMaybeSent };
        return importRecords(parts, orgId, [single], n);
      }),
    );
  }
}

async function finish(
  parts: ImportRecordParts,
  orgId: string,
  record: RecordToImport,
  result: BulkImportHumanUsersResponse_Result["result"] | undefined,
  n: number,
  existing: Promise<ExistingUsers>,
): Promise<void> {
  switch (result?.case) {
    case "imported": {
      const { value: imported } = result;
      if (await wasRemoved(parts, orgId, imported)) return await importRecords(parts, orgId, [record], n + 1);
      const { userId, initialization } = imported;
      const warnings = imported.warnings.map(({ field, reason }) => ({ field, reason }));
      return record.onResult({
        ...{ outcome: "imported", userId, orgId, link: initialization?.link },
        warnings: warnings.length === 0 ? undefined : warnings,
      });
    }
    case "error":
      return record.onResult(await toResult(parts, orgId, record, result.value, existing));
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
  ...["EXTERNAL_ID_TAKEN", "USER_NAME_TAKEN", "EMAIL_TAKEN", "PHONE_TAKEN", "IDP_LINK_TAKEN", "SUBJECT_TAKEN"],
  ...["PASSKEY_TAKEN", "IDEMPOTENCY_KEY_REUSED"],
]);

function mayExist(result: BulkImportHumanUsersResponse_Result["result"] | undefined): boolean {
  return result?.case === "error" && EXISTING.has(result.value.reason);
}

/** Users whom an import has made, by the id in the source. */
type ExistingUsers = ReadonlyMap<string, User>;

/** Finds those of the records that exist, together: alone, each costs more than its import. */
async function findExisting(
  { api, patience }: ImportRecordParts,
  orgId: string,
  records: readonly RecordToImport[],
): Promise<ExistingUsers> {
  const sourceIds = new Map<string, string>();
  const candidates = records.map(({ sourceId, request }) => ({ orgId, sourceId, request }));
  for (const [{ sourceId }, taken] of await findTaken(api, patience, candidates)) {
    if (taken.kind === "exists") sourceIds.set(taken.userId, sourceId);
  }
  const users = sourceIds.size === 0 ? [] : await findUsers(api, patience, orgId, [...sourceIds.keys()]);
  return new Map(users.map((user) => [sourceIds.get(user.id) ?? "", user]));
}

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
  const nth = n === 1 ? "" : ` ${n}`;
  const users = await Promise.all(
    records.map(async ({ sourceId, request }) => {
      return { user: request, idempotencyKey: await sha256(`${key} ${sourceId}${nth}`) };
    }),
  );
  let attempts = 0;
  const response = await callPatiently(patience, () => {
    attempts += 1;
    return api.management.bulkImportHumanUsers({ users }, inOrg(orgId));
  });
  return { response, maybeSent: attempts > 1 && !api.isServer };
}

async function toResult(
  parts: ImportRecordParts,
  orgId: string,
  record: RecordToImport,
  error: BulkImportHumanUsersResponse_Error,
  existing: Promise<ExistingUsers>,
): Promise<Result> {
  const failure = toFailure(error);
  // No user can be imported.
  if (failure.kind === "run") throw new ConfigError(describeFailure(failure));
  const user = EXISTING.has(error.reason) ? (await existing).get(record.sourceId) : undefined;
  return user === undefined ? toRefusal(failure) : await compare(parts, orgId, record, user);
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

function isEarlier({ details }: ImportHumanUserResponse | User, startedAt: Date): boolean {
  return details?.creationDate === undefined || timestampDate(details.creationDate).getTime() < startedAt.getTime();
}

/** Compares a user who exists with the request, or updates the user. */
async function compare(
  parts: ImportRecordParts,
  orgId: string,
  { n, request, maybeSent }: RecordToImport,
  user: User,
): Promise<Result> {
  const { api, patience, startedAt, update } = parts;
  const { id: userId } = user;
  // The response was lost, or the process was killed before it saw it: more than a day ago, or on the database itself.
  if (maybeSent && !isEarlier(user, startedAt)) return { outcome: "imported", userId, orgId };
  if (update !== undefined) {
    const updated = await updateUser({ ...update, ...parts }, user, orgId, { n, request });
    return isFailure(updated) ? toRefusal(updated) : toUpdated(updated, userId, orgId);
  }
  const options = inOrg(orgId);
  const readMetadata = createMetadataReader(api, userId, options);
  const fields = await callPatiently(patience, () => compareUser(api, user, request, options, readMetadata));
  if (isFailure(fields)) return toRefusal(fields);
  return fields.length === 0 ? { outcome: "same", userId, orgId } : { outcome: "differs", userId, orgId, fields };
}

function toUpdated({ changes, kept, others }: UpdatePlan, userId: string, orgId: string): Result {
  const fields = [...kept, ...others];
  if (changes.length === 0 && fields.length === 0) return { outcome: "same", userId, orgId };
  if (changes.length === 0) return { outcome: "differs", userId, orgId, fields };
  const [ofOthers, differing] = [kept, others].map((list) => (list.length === 0 ? undefined : list));
  return { outcome: "updated", userId, orgId, changes, kept: ofOthers, fields: differing };
}

function toRefusal({ reason, message, violations }: Failure): Result {
  const problems = violations.map(({ field, description }) => ({ field, description }));
  return {
    outcome: "refused",
    reason,
    problems: problems.length > 0 ? problems : [{ field: "", description: message }],
  };
}
