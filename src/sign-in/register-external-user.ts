import type { Caller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { createId } from "../crypto/secrets.ts";
import type { RunTogether } from "../database/run-together.ts";
import { SignetError } from "../errors.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { SignInIdp } from "../idps/find-sign-in-idp.ts";
import { issuedToRows } from "../messages/outbox.ts";
import type { HumanToImport } from "../users/check-import-human-user.ts";
import { INSERT_HUMAN_USER } from "../users/insert-human-users.ts";

interface RegisterParts {
  readonly runTogether: RunTogether;
  readonly clock: Clock;
}

export type Registration =
  | { readonly kind: "registered"; readonly userId: string }
  | { readonly kind: "name-taken" }
  /** The external user has been linked to a user of the organization in the meantime. */
  | { readonly kind: "link-taken" }
  /** The provider was removed in the meantime. */
  | { readonly kind: "idp-removed" };

/**
 * Registers a person whose identity was confirmed by a provider as a user of an organization, without a password and
 * linked to the external user. No message is sent: the sign-in verifies an unverified address.
 *
 * @throws SignetError for a failure of the database.
 */
export async function registerExternalUser(
  { runTogether, clock }: RegisterParts,
  { orgId, idp, registration }: { orgId: string; idp: Pick<SignInIdp, "ownerId">; registration: HumanToImport },
  caller: Caller,
): Promise<Registration> {
  const { human, links, emailVerified } = registration;
  const userId = createId();
  const events: NewEvent[] = [
    { type: "user.human.added", payload: { ...human, hasPassword: false } },
    ...links.map((payload) => ({ type: "user.human.idp.linked", payload }) as const),
    ...(emailVerified ? [{ type: "user.human.email.verified", payload: { email: human.email } } as const] : []),
  ];
  try {
    const row = await runTogether(
      INSERT_HUMAN_USER,
      {
        ...human,
        ...issuedToRows([]),
        ownerId: orgId,
        // The statement accepts providers of the organization and of this owner.
        instanceId: idp.ownerId,
        aggregateId: userId,
        editorId: userId,
        userNameKey: userNameKey(human.userName),
        emailVerified,
        phoneVerified: false,
        passwordHash: null,
        // The provider is a way to sign in.
        initialized: true,
        otpCode: null,
        otpCodeKey: null,
        links,
        now: clock(),
        events,
      },
      caller,
    );
    if (row === undefined) throw new Error("the statement gave no row");
    if (row.sequence !== null) return { kind: "registered", userId };
    return { kind: row.unknownLinks.length > 0 ? "idp-removed" : "name-taken" };
  } catch (error) {
    if (!(error instanceof SignetError)) throw error;
    if (error.reason === "IDP_LINK_TAKEN") return { kind: "link-taken" };
    if (error.reason === "IDP_NOT_FOUND") return { kind: "idp-removed" };
    throw error;
  }
}
