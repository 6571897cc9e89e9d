import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { FoundPasskey } from "../passkeys/find-passkeys.ts";
import type { Assertion } from "../passkeys/verify-assertion.ts";
import { appendToUser } from "./append-to-user.ts";

interface RecordParts {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Records the use of a passkey, and stores its time, its counter, and whether it can be and is backed up.
 *
 * @returns The user's sequence; undefined if the user is not active, the passkey was removed, or the counter did not
 *   increase (and is not always 0).
 */
export async function recordPasskeySuccess(
  { db, clock }: RecordParts,
  orgId: string,
  { id, userId }: FoundPasskey,
  { counter, backedUp, deviceType }: Assertion,
): Promise<bigint | undefined> {
  const [row] = await storeSuccess(db, {
    ownerId: orgId,
    aggregateId: userId,
    editorId: userId,
    events: eventsToJson([{ type: "user.human.passwordless.check.succeeded", payload: { passkeyId: id } }]),
    now: clock(),
    passkeyId: id,
    counter: BigInt(counter),
    backedUp,
    deviceType,
  });
  return row?.sequence;
}

/** Records a counter that has not increased, with a valid signature: the passkey may have been copied. */
export async function recordPasskeyCopy(
  { db, clock }: RecordParts,
  orgId: string,
  passkey: FoundPasskey,
  { counter }: Assertion,
): Promise<void> {
  const payload = { passkeyId: passkey.id, counter, storedCounter: Number(passkey.counter) };
  const event = { type: "user.human.passwordless.check.failed", payload } as const;
  await appendToUser({ db, now: clock() }, { orgId, id: passkey.userId }, event);
}

interface SuccessValues extends EventValues {
  passkeyId: string;
  counter: bigint;
  backedUp: boolean;
  deviceType: "singleDevice" | "multiDevice";
}

/** The statement compares and stores the counter, so that only one of two responses with the same counter succeeds. */
const storeSuccess = prepareStatement<SuccessValues, { sequence: bigint }>((db, param) =>
  db
    // Lock the user first, as other statements do.
    .with("held", (query) =>
      query
        .selectFrom("users")
        .select(["org_id", "id"])
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "human")
        .where("state", "=", "active")
        .forNoKeyUpdate(),
    )
    .with("used", (query) =>
      query
        .updateTable("passkeys")
        .from("held")
        .set({
          counter: param("counter", "bigint"),
          backed_up: param("backedUp", "boolean"),
          device_type: param("deviceType", "text"),
          last_used_at: param("now", "timestamptz"),
        })
        .whereRef("passkeys.org_id", "=", "held.org_id")
        .whereRef("passkeys.user_id", "=", "held.id")
        .where("passkeys.id", "=", param("passkeyId", "text"))
        .where(
          sql<boolean>`(passkeys.counter < ${param("counter", "bigint")}
            or passkeys.counter = 0 and ${param("counter", "bigint")} = 0)`,
        )
        .returning(["passkeys.org_id", "passkeys.user_id"]),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from("used")
        .set(changedColumns(param, "users"))
        .where("users.org_id", "=", param("ownerId", "uuid"))
        .whereRef("users.id", "=", "used.user_id")
        .returning(["users.sequence", "users.changed_at"]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
