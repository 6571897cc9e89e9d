import type { Caller } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import { createId } from "../../crypto/secrets.ts";
import type { RunTogether } from "../../database/run-together.ts";
import { SignetError } from "../../errors.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { toNewName } from "../../users/found-by-other.ts";
import type { HumanToImport } from "../../users/import/check-import-human-user.ts";
import { INSERT_HUMAN_USER, type InsertHumanUser, REGISTERED } from "../../users/import/insert-human-users.ts";
import type { ConfirmedBy } from "./link-external-user.ts";

interface RegisterParts {
  readonly runTogether: RunTogether;
  readonly clock: Clock;
}

type Registration =
  | { readonly kind: "registered"; readonly userId: string }
  | { readonly kind: "name-taken" }
  /** The verified address is that of another active user, or the user name of another user. */
  | { readonly kind: "address-taken" }
  /** The external user has been linked to a user of the organization in the meantime. */
  | { readonly kind: "link-taken" }
  /** The provider was changed or removed in the meantime. */
  | { readonly kind: "idp-changed" };

/**
 * Registers a person whose identity was confirmed by a provider as a user of an organization, without a password and
 * linked to the external user. No message is sent: the sign-in verifies an unverified address.
 *
 * A name by which another user is found, as an address or a number, is taken too, and so is a verified address: that user
 * could no longer sign in with it.
 *
 * @throws SignetError for a failure of the database.
 */
export async function registerExternalUser(
  { runTogether, clock }: RegisterParts,
  { orgId, idp, registration }: { orgId: string; idp: ConfirmedBy; registration: HumanToImport },
  caller: Caller,
): Promise<Registration> {
  const userId = createId();
  try {
    const command = toCommand(registration, { userId, orgId, idp, now: clock() });
    const row = await runTogether(INSERT_HUMAN_USER, command, caller);
    if (row === undefined) throw new Error("the statement gave no row");
    if (row.sequence !== null) return { kind: "registered", userId };
    if (row.unknownLinks.length > 0) return { kind: "idp-changed" };
    return { kind: row.collision === "address" || row.collision === "email" ? "address-taken" : "name-taken" };
  } catch (error) {
    if (!(error instanceof SignetError)) throw error;
    if (error.reason === "IDP_LINK_TAKEN") return { kind: "link-taken" };
    if (error.reason === "IDP_NOT_FOUND") return { kind: "idp-changed" };
    throw error;
  }
}

function toCommand(
  { human, links, emailVerified }: HumanToImport,
  { userId, orgId, idp, now }: { userId: string; orgId: string; idp: ConfirmedBy; now: Date },
): InsertHumanUser {
  return {
    ...REGISTERED,
    ...human,
    ownerId: orgId,
    // The statement accepts providers of the organization and of this owner.
    instanceId: idp.ownerId,
    aggregateId: userId,
    editorId: userId,
    ...toNewName(human.userName),
    emailVerified,
    emailKey: emailVerified ? userNameKey(human.email) : null,
    links: links.map((link) => ({ ...link, idpSequence: String(idp.sequence) })),
    now,
    events: [
      { type: "user.human.added", payload: { ...human, hasPassword: false } },
      ...links.map((payload) => ({ type: "user.human.idp.linked", payload }) as const),
      ...(emailVerified ? [{ type: "user.human.email.verified", payload: { email: human.email } } as const] : []),
    ],
  };
}
