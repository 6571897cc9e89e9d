import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { ImportHumanUserRequest, ImportHumanUserResponse } from "../../../gen/signet/v1/management_pb.js";
import { findByExternalId } from "../checking/find-taken.ts";
import { inOrg } from "../in-org.ts";
import type { MovingApi } from "../moving-api.ts";
import type { Failure } from "../read-failure.ts";
import type { Outcome } from "../report/outcome.ts";
import { sha256 } from "../sha-256.ts";
import { callPatiently, isFailure, type Patience } from "./call-patiently.ts";
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
  readonly orgId: string;
  readonly sourceId: string;
  readonly request: ImportHumanUserRequest;
  /** Whether the request may have been sent before, without a response. */
  readonly maybeSent: boolean;
}

type Result = Extract<Outcome, { outcome: "imported" | "same" | "differs" | "refused" }>;
type WithoutPlace<T> = T extends unknown ? Omit<T, "n" | "file" | "line" | "sourceId"> : never;

/** Imports a user, or compares the user whom an earlier import has made. */
export async function importRecord(parts: ImportRecordParts, record: RecordToImport): Promise<WithoutPlace<Result>> {
  const { orgId } = record;
  const { response, maybeSent } = await send(parts, record);
  if (!isFailure(response)) {
    const link = response.initialization?.link;
    return { outcome: "imported", userId: response.userId, orgId, ...(link === undefined ? {} : { link }) };
  }
  if (!EXISTING.has(response.reason ?? "")) return toRefusal(response);
  const existing = await findExisting(parts, { ...record, maybeSent: record.maybeSent || maybeSent });
  return existing ?? toRefusal(response);
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
 * Sends the request with a key for this user in this run. If the run was already made, without a report to continue, the response is
 * that of then, and the user may have been removed since: then the next key makes the user again.
 *
 * @returns Also whether an attempt without a response may have made the user. A server then returns the response of that attempt,
 * but the database itself has no keys.
 */
async function send(parts: ImportRecordParts, { orgId, sourceId, request }: RecordToImport) {
  const { api, patience, key, startedAt } = parts;
  for (let n = 1; ; n += 1) {
    const headers = { "x-service-orgid": orgId, "idempotency-key": await toKey(key, sourceId, n) };
    let attempts = 0;
    const response = await callPatiently(patience, () => {
      attempts += 1;
      return api.management.importHumanUser(request, { headers });
    });
    const maybeSent = attempts > 1 && !api.isServer;
    if (isFailure(response) || !isEarlier(response, startedAt)) return { response, maybeSent };
    const found = await callPatiently(patience, () =>
      api.management.getUserByID({ id: response.userId }, inOrg(orgId)),
    );
    if (!isFailure(found)) return { response, maybeSent };
    if (found.reason !== "USER_NOT_FOUND") return { response: found, maybeSent };
  }
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
  parts: ImportRecordParts,
  record: RecordToImport,
): Promise<WithoutPlace<Result> | undefined> {
  const { api, patience, startedAt } = parts;
  const { orgId, sourceId, request, maybeSent } = record;
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
