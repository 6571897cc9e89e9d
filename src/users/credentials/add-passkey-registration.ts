import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import { VALID_SECONDS } from "../../codes/kinds.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";

export interface PasskeyRegistration {
  readonly link: string;
  /** How long the link is valid. */
  readonly validSeconds: number;
}

/**
 * Creates a link for a human user to register a passkey (docs/reference/credentials.md). Replaces earlier links.
 *
 * @throws SignetError USER_NOT_FOUND, USER_STATE if the user is deactivated or locked, PERMISSION_DENIED, or for a
 *   failure of the database.
 */
export async function addPasskeyRegistration(
  parts: ChangeUserParts,
  { userId }: { readonly userId: string },
  call: Call<Actor>,
): Promise<Changed & PasskeyRegistration> {
  const now = parts.clock();
  const issued = parts.outbox.passkeyRegistration(now);
  const registration = { link: issued.link, validSeconds: VALID_SECONDS.passkey };
  const change = { userId, plans: [toPlan([], issued)], now };
  return { ...(await changeUser(parts, ADD_REGISTRATION, change, call, registration)), ...registration };
}

const ADD_REGISTRATION = prepareUserChange({
  name: "add_passkey_registration",
  kind: "human",
  refuse: sql`case when users.state <> 'active' then 'USER_STATE' end`,
});
