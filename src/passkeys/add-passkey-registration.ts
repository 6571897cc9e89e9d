import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { Kysely } from "kysely";
import {
  type AddPasswordlessRegistrationResponse,
  AddPasswordlessRegistrationResponseSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { type CodeValues, insertCodes } from "../codes/issue-code.ts";
import { VALID_SECONDS } from "../codes/kinds.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { humanNotFound } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../events/append-events.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import type { Outbox } from "../messages/outbox.ts";

/** What `addPasskeyRegistration` needs. */
export interface AddPasskeyRegistrationParts {
  readonly db: Kysely<Tables>;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/**
 * Creates a link with which a human user registers a passkey (docs/api.md). It replaces the earlier ones.
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function addPasskeyRegistration(
  { db, outbox, clock }: AddPasskeyRegistrationParts,
  userId: string,
  call: Call,
): Promise<AddPasswordlessRegistrationResponse> {
  if (!isId(userId)) throw humanNotFound();
  const now = clock();
  const { code, link } = outbox.passkeyRegistration(now);
  const response = create(AddPasswordlessRegistrationResponseSchema, {
    link,
    expiration: durationFromMs(VALID_SECONDS.passkey * 1_000),
  });
  call.keptAnswer?.add(response);
  const values = {
    ownerId: call.orgId,
    aggregateId: userId.toLowerCase(),
    editorId: call.userId,
    now,
    events: eventsToJson([code.event]),
    codes: JSON.stringify([code.row]),
  };
  const [row] = await insertRegistration(db, values, call);
  if (row === undefined) throw humanNotFound();
  response.details = toObjectDetails(row, call.orgId);
  return response;
}

/** Returns no row if there is no such human user. */
const insertRegistration = prepareWrite<CodeValues, ObjectRow>((db, param) =>
  db
    .with("changed", (query) =>
      query
        .updateTable("users")
        .set(changedColumns(param, "users"))
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "human")
        .returning(["sequence", "created_at", "changed_at"]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .with("coded", () => insertCodes(param, "changed"))
    .selectFrom("changed")
    .selectAll(),
);
