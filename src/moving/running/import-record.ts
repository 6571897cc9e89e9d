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
  /** Whether an earlier process may have sent the request without seeing the response. */
  readonly maybeSent: boolean;
}

type Result = Extract<Outcome, { outcome: "imported" | "same" | "differs" | "refused" }>;
type WithoutPlace<T> = T extends unknown ? Omit<T, "n" | "file" | "line" | "sourceId"> : never;

/** Imports a user, or compares the user whom an earlier import has made. */
export async function importRecord(parts: ImportRecordParts, record: RecordToImport): Promise<WithoutPlace<Result>> {
  const { orgId } = record;
  const response = await send(parts, record);
  if (!isFailure(response)) {
    const link = response.initialization?.link;
    return { outcome: "imported", userId: response.userId, orgId, ...(link === undefined ? {} : { link }) };
  }
  if (!EXISTING.has(response.reason ?? "")) return toRefusal(response);
  return (await findExisting(parts, record)) ?? toRefusal(response);
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
 */
async function send(parts: ImportRecordParts, { orgId, sourceId, request }: RecordToImport) {
  const { api, patience, key, startedAt } = parts;
  for (let attempt = 1; ; attempt += 1) {
    const headers = { "x-service-orgid": orgId, "idempotency-key": await toKey(key, sourceId, attempt) };
    const response = await callPatiently(patience, () => api.management.importHumanUser(request, { headers }));
    if (isFailure(response) || !isEarlier(response, startedAt)) return response;
    const found = await callPatiently(patience, () =>
      api.management.getUserByID({ id: response.userId }, inOrg(orgId)),
    );
    if (!isFailure(found)) return response;
    if (found.reason !== "USER_NOT_FOUND") return found;
  }
}

/** Whether the user was made before the run began. */
function isEarlier({ details }: ImportHumanUserResponse, startedAt: Date): boolean {
  return details?.creationDate !== undefined && timestampDate(details.creationDate).getTime() < startedAt.getTime();
}

/** A key for one user in one run: 64 characters. */
async function toKey(key: string, sourceId: string, attempt: number): Promise<string> {
  return await sha256(`${key} ${sourceId}${attempt === 1 ? "" : ` ${attempt}`}`);
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
  // The process that sent the request was killed before it saw the response, more than a day ago or on the database itself.
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
