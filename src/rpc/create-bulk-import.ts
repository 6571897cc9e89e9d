import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { create, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type BulkImportHumanUsersRequest,
  type BulkImportHumanUsersRequest_User,
  BulkImportHumanUsersRequestSchema,
  type BulkImportHumanUsersResponse_ResultSchema,
  BulkImportHumanUsersResponseSchema,
  ImportHumanUserRequestSchema,
  type ImportHumanUserResponse,
  ManagementService,
} from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import { type ErrorCode, invalidArgument, SignetError, type Violation } from "../errors.ts";
import { CODES } from "../http/error-object.ts";
import { isIdempotencyKey, KEY_RULE, type Rpc, readPermission } from "./implement.ts";
import { maxItemsOf, requireListLimits } from "./rules/list-limits.ts";

const { importHumanUser, bulkImportHumanUsers } = ManagementService.method;

/**
 * Creates BulkImportHumanUsers. It runs ImportHumanUser for each user, all at once, so that they share statements.
 *
 * A failure of the service or the database is that of the whole call, which then does not say which users were imported:
 * that is what the keys are for. It is thrown once all users have an outcome.
 *
 * @param rpcs Has ImportHumanUser.
 */
export function createBulkImport(rpcs: readonly Rpc[]): Rpc {
  const single = rpcs.find(({ desc }) => desc === importHumanUser);
  if (single === undefined) throw new Error(`no RPC ${importHumanUser}`);
  const { run: runImport } = single;
  const desc = bulkImportHumanUsers;
  requireListLimits(desc.input);
  const name = `${desc.parent.typeName}/${desc.name}`;
  // The token is looked up once for all users.
  return { desc, name, permission: readPermission(desc), confirmsCaller: false, headers: [], run };

  async function run(request: Message, call: Call): Promise<Message> {
    const { users } = request as BulkImportHumanUsersRequest;
    checkCall(users.length, call);
    const running: Promise<Result>[] = [];
    let since = performance.now();
    for (const [index, user] of users.entries()) {
      if (performance.now() - since > TURN_MS) {
        await setImmediate();
        since = performance.now();
      }
      const result = importUser(user, index, call);
      // It is reported below, once all users have an outcome.
      result.catch(() => {});
      running.push(result);
    }
    await Promise.allSettled(running);
    return create(BulkImportHumanUsersResponseSchema, { results: await Promise.all(running) });
  }

  async function importUser(
    { user, idempotencyKey: key }: BulkImportHumanUsersRequest_User,
    index: number,
    call: Call,
  ): Promise<Result> {
    try {
      call.throwIfOver();
      if (key !== "" && !isIdempotencyKey(key)) {
        const description = "must have 1 to 255 visible ASCII characters and no spaces";
        throw invalidArgument({ field: "idempotencyKey", description });
      }
      const idempotencyKey = key || keyAt(index, call.idempotencyKey);
      const response = await runImport(user ?? create(ImportHumanUserRequestSchema), { ...call, idempotencyKey });
      return { result: { case: "imported", value: response as ImportHumanUserResponse } };
    } catch (error) {
      if (!(error instanceof SignetError)) throw error;
      if (FAULTS.has(error.code)) throw withUnknownOutcome(error);
      return { result: { case: "error", value: toError(error) } };
    }
  }
}

type Result = MessageInitShape<typeof BulkImportHumanUsersResponse_ResultSchema>;

/** How long users are checked before other calls get their turn. A user with many passkeys takes several milliseconds. */
const TURN_MS = 3;

/** Codes of errors that say nothing about the user. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(["internal", "unavailable", "aborted", "resource_exhausted"]);

/** Other users may have been imported. */
function withUnknownOutcome({ reason, message, retryAfterMs, metadata, cause }: SignetError): SignetError {
  const retry = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new SignetError(reason, message, { ...retry, metadata: { ...metadata, outcome: "unknown" }, cause });
}

const MAX_USERS = maxItemsOf(BulkImportHumanUsersRequestSchema.field.users) ?? 0;

function checkCall(count: number, { idempotencyKey: key }: Call): void {
  const violations: Violation[] = [];
  if (count < 1 || count > MAX_USERS) {
    violations.push({ field: "users", description: `must have 1 to ${MAX_USERS} items, has ${count}` });
  }
  if (key !== undefined && !isIdempotencyKey(key)) {
    violations.push({ field: "idempotency-key", description: KEY_RULE });
  }
  if (violations.length > 0) throw invalidArgument(...violations);
}

/** The key of a user without one, if the call has one. */
function keyAt(index: number, keyOfCall: string | undefined): string | undefined {
  return keyOfCall === undefined ? undefined : createHash("sha256").update(`${keyOfCall} ${index}`).digest("hex");
}

function toError({ code, reason, message, violations, metadata }: SignetError) {
  return {
    code: CODES[code].rpc,
    reason,
    message: message.toWellFormed(),
    fieldViolations: violations.map((violation) => ({ ...violation })),
    metadata: { ...metadata },
  };
}
