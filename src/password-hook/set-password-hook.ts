import { sql } from "kysely";
import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../database/database.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { Problems } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { hostOf } from "../events/host-of.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { describeEndpointProblem } from "../fields/endpoint.ts";
import { createSigningKey } from "../webhooks/signing-key.ts";
import { PASSWORD_HOOK_SEALED } from "./find-password-hook.ts";

export interface ChangePasswordHookParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** The call of an operation that changes the password hook. */
export type PasswordHookCall = Call<Principal | Operator>;

/** Checks the rules of SetPasswordHookRequest that the schema cannot express. */
export function checkPasswordHook({ url }: { readonly url: string }, problems: Problems): { readonly url: string } {
  // The schema rejects an empty URL.
  const problem = url === "" ? undefined : describeEndpointProblem(url);
  if (problem !== undefined) problems.add("url", problem);
  return { url };
}

/**
 * Sets the URL of the organization's password hook, with a new signing key, which cannot be shown again (docs/api.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function setPasswordHook(
  { db, keyring, clock }: ChangePasswordHookParts & { readonly keyring: Keyring },
  { url }: { readonly url: string },
  call: PasswordHookCall,
): Promise<Changed & { readonly signingKey: string }> {
  const { signingKey, row: key } = createSigningKey(keyring, PASSWORD_HOOK_SEALED);
  const event = { type: "org.password.hook.set", payload: { host: hostOf(url) } } as const;
  const values = { ...toEventValues(event, clock(), call), ...key, url };
  const [row] = await storeHook(db, values, call, { signingKey });
  if (row === undefined) throw new Error("the organization of the call does not exist");
  return { signingKey, ...toChanged(row, call.orgId) };
}

/** The values that append one event to the organization, to which the events of its hook belong. */
export function toEventValues(event: NewEvent, now: Date, { orgId, userId }: PasswordHookCall): EventValues {
  return { ownerId: orgId, aggregateId: orgId, editorId: userId, now, events: eventsToJson([event]) };
}

interface StoreValues extends EventValues {
  url: string;
  keyId: string;
  secret: Buffer;
  secretKey: string;
}

/** Locks the organization before the hook, as all statements do that change both. */
const storeHook = prepareWrite<StoreValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("changed", (query) =>
        query
          .updateTable("orgs")
          .set(changedColumns(param, "orgs"))
          .where("id", "=", param("ownerId", "uuid"))
          .returning(["orgs.id", "orgs.sequence", "orgs.changed_at"]),
      )
      .with(
        "written",
        () =>
          sql<ObjectRow>`(
          insert into password_hooks (owner_id, id, url, secret, secret_key, sequence, created_at, changed_at)
          select changed.id, ${param("keyId", "uuid")}, ${param("url", "text")}, ${param("secret", "bytea")},
            ${param("secretKey", "text")}, changed.sequence, changed.changed_at, changed.changed_at
          from changed
          on conflict (owner_id) do update set id = excluded.id, url = excluded.url, secret = excluded.secret,
            secret_key = excluded.secret_key, sequence = excluded.sequence, changed_at = excluded.changed_at
          returning sequence, created_at, changed_at)`,
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("result", (query) => query.selectFrom("written").selectAll()),
  ),
);
