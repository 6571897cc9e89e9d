import { create } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import {
  type SetHumanPasswordRequest,
  type SetHumanPasswordResponse,
  SetHumanPasswordResponseSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { endCodes } from "../codes/end-codes.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { humanNotFound, type Problems } from "../errors.ts";
import { changedColumns, changeTime } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import type { Hasher } from "../passwords/hasher.ts";
import { describePasswordProblem } from "../passwords/policy.ts";

/** A checked SetHumanPasswordRequest. */
export interface PasswordChange {
  readonly userId: string;
  /** In clear text. */
  readonly password: string;
  readonly changeRequired: boolean;
}

/** Checks the rules of SetHumanPasswordRequest that the schema cannot express. */
export function checkSetHumanPassword(request: SetHumanPasswordRequest, problems: Problems): PasswordChange {
  const { userId, password, noChangeRequired } = request;
  const problem = describePasswordProblem(password);
  if (problem !== undefined) problems.add("password", problem);
  return { userId, password, changeRequired: !noChangeRequired };
}

/** What `setHumanPassword` needs. */
export interface SetHumanPasswordParts {
  readonly db: Kysely<Tables>;
  readonly passwords: Hasher;
  readonly clock: Clock;
}

/**
 * Sets the password of a human user, in any state (docs/api.md). Ends the links to reset it.
 *
 * @throws SignetError USER_NOT_FOUND, UNAVAILABLE if too many passwords wait to be hashed, or for a failure of the database.
 */
export async function setHumanPassword(
  { db, passwords, clock }: SetHumanPasswordParts,
  { userId, password, changeRequired }: PasswordChange,
  call: Call,
): Promise<SetHumanPasswordResponse> {
  if (!isId(userId)) throw humanNotFound();
  const { orgId, signal, throwIfOver } = call;
  const passwordHash = await passwords.hash(password, { turn: { kind: "call", orgId }, signal, throwIfOver });
  const values = {
    ownerId: orgId,
    aggregateId: userId.toLowerCase(),
    editorId: call.userId,
    passwordHash,
    changeRequired,
    now: clock(),
    events: eventsToJson([{ type: "user.human.password.changed", payload: {} }]),
  };
  const [row] = await updatePassword(db, values, call);
  if (row === undefined) throw humanNotFound();
  return create(SetHumanPasswordResponseSchema, { details: toObjectDetails(row, orgId) });
}

interface UpdatePasswordValues extends EventValues {
  passwordHash: string;
  changeRequired: boolean;
}

/** Returns no row if there is no such human user. */
const updatePassword = prepareWrite<UpdatePasswordValues, ObjectRow>((db, param) =>
  db
    .with("changed", (query) =>
      query
        .updateTable("users")
        .set({
          password_hash: param("passwordHash", "text"),
          password_changed_at: changeTime(param, "users"),
          password_change_required: param("changeRequired", "boolean"),
          // With a verified address, a password was all that was missing.
          initialized: sql<boolean>`users.initialized or users.email_verified`,
          ...changedColumns(param, "users"),
        })
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "human")
        .returning(["sequence", "created_at", "changed_at"]),
    )
    .with("ended", () => endCodes(param, "password", "changed"))
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .selectAll(),
);
