import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import type { ExternalUser } from "../../sign-in/external-user.ts";
import { findLinkedUser } from "../../sign-in/find-sign-in-user.ts";
import { recordIdpCheck } from "../../sign-in/link-external-user.ts";
import type { Proved } from "../../sign-in/proof.ts";
import { updateFromProvider } from "../../sign-in/update-from-provider.ts";
import type { PageResponse } from "../frame/page.ts";
import { findExpectedUser } from "./expected-user.ts";
import { askAgain } from "./first-page.ts";
import { enterGates } from "./gates.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** The value of `amr` after a sign-in with a provider. RFC 8176 does not define one; other products use this one. */
const METHODS = ["fed"];

/** An external user whom a provider has confirmed. */
interface Confirmed {
  readonly externalUserId: string;
  /** See `ProvedByIdp`. */
  readonly authTime: number | undefined;
  readonly isAssumed?: boolean | undefined;
  /** See `Proved`. */
  readonly isStale?: boolean | undefined;
  readonly remember: boolean;
  /** Reads what the provider knows about the external user. */
  readonly readUser?: () => Promise<ExternalUser>;
}

/** Signs in the user linked to an external user; undefined if there is none. */
export async function signInLinkedUser(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  { externalUserId, readUser, ...proof }: Confirmed,
): Promise<PageResponse | undefined> {
  const { signIn, language, caller } = visit;
  const linked = await findLinkedUser(parts, { orgId: signIn.org.id, idpId: idp.id, externalUserId }, caller);
  if (linked === undefined) return undefined;
  const expected = await findExpectedUser(parts, visit);
  if (expected !== undefined && expected.id !== linked.id) {
    return askAgain(parts, visit, language.texts.signIn.errors.otherUser(expected.userName));
  }
  const checked = await recordIdpCheck(parts, linked, idp, caller);
  // Anyone who controls a provider of the organization could otherwise get the user's roles elsewhere by a new address.
  const isUpdated = idp.isAutoUpdate && readUser !== undefined && (idp.isOfInstance || !linked.hasRolesElsewhere);
  const update = (external: ExternalUser) =>
    checked && updateFromProvider(parts, checked, { idpId: idp.id, external }, caller);
  const user = checked && isUpdated ? await update(await readUser()) : checked;
  parts.metrics?.signInChecked("idp", user === undefined ? "failure" : "success");
  if (user === undefined) return askAgain(parts, visit, language.texts.signIn.idp.errors.blocked);
  return await enterGates(parts, visit, user, toProvedByIdp(idp, proof));
}

/** The proof of a user whom a provider has confirmed. */
export function toProvedByIdp(
  { id, isOfInstance }: SignInIdp,
  { authTime, isAssumed, isStale, remember }: Pick<Confirmed, "authTime" | "isAssumed" | "isStale" | "remember">,
): Proved {
  return { methods: METHODS, remember, isStale, idp: { id, isOfOrg: !isOfInstance, authTime, isAssumed } };
}
