import type { SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import { findLinkedUser } from "../../../sign-in/find-sign-in-user.ts";
import type { Proved } from "../../../sign-in/proof.ts";
import { type ConfirmedExternal, toLinkName } from "../../../sign-in/provider/check-registration.ts";
import type { ExternalUser } from "../../../sign-in/provider/external-user.ts";
import { linkExternalUser, recordIdpCheck } from "../../../sign-in/provider/link-external-user.ts";
import { findUserToLink, isUpdatedFrom } from "../../../sign-in/provider/preview-sign-in.ts";
import { updateFromProvider } from "../../../sign-in/provider/update-from-provider.ts";
import { toSignInOrigin } from "../../../sign-in/sign-in-origin.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import type { PageResponse } from "../../frame/page.ts";
import { askAgain, findExpectedUser } from "../first-page/first-page.ts";
import type { SignInParts, SignInVisit, StepResult } from "../sign-in-parts.ts";
import { linkedPage } from "./link.ts";

/** The value of `amr` after a sign-in with a provider. RFC 8176 does not define one; other products use this one. */
const METHODS = ["fed"];

type ProofOfIdp = Pick<ConfirmedExternal, "authTime" | "isAssumed" | "isStale" | "remember">;

interface Confirmed extends ProofOfIdp {
  readonly externalUserId: string;
  /** See `ExternalIds`; absent if there are none. */
  readonly otherIds?: readonly string[] | undefined;
  /** Reads what the provider knows about the external user. */
  readonly readUser?: () => Promise<ExternalUser>;
}

/** Signs in the user linked to an external user; undefined if there is none. */
export async function signInLinkedUser(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  { externalUserId, otherIds, readUser, ...proof }: Confirmed,
): Promise<StepResult | undefined> {
  const { request, signIn, language, caller } = visit;
  const key = { orgId: signIn.org.id, idpId: idp.id, externalUserId, otherIds };
  const linked = await findLinkedUser(parts, key, caller);
  if (linked === undefined) return undefined;
  const expected = await findExpectedUser(parts, visit);
  if (expected !== undefined && expected.id !== linked.id) {
    return await askAgain(
      parts,
      visit,
      fillIn(language.texts.signIn.errors.otherUser, { userName: expected.userName }),
    );
  }
  const origin = toSignInOrigin(request.address, caller.userAgent);
  const formerExternalUserId = linked.linkedAs;
  const relinked = formerExternalUserId === externalUserId ? undefined : { externalUserId, formerExternalUserId };
  const checked = await recordIdpCheck(parts, linked, { idp, relinked }, origin, caller);
  const isUpdated = readUser !== undefined && isUpdatedFrom(idp, linked);
  const update = (external: ExternalUser) =>
    checked && updateFromProvider(parts, checked, { idpId: idp.id, external }, caller);
  const user = checked && isUpdated ? await update(await readUser()) : checked;
  parts.metrics?.signInChecked("idp", user === undefined ? "failure" : "success");
  if (user === undefined) return await askAgain(parts, visit, language.texts.signIn.idp.errors.blocked);
  return { user, proved: toProvedByIdp(idp, proof) };
}

function toProvedByIdp(
  { id, isOfInstance }: SignInIdp,
  { authTime, isAssumed, isStale, remember }: ProofOfIdp,
): Proved {
  return { methods: METHODS, remember, isStale, idp: { id, isOfOrg: !isOfInstance, authTime, isAssumed } };
}

/**
 * Links an external user to the only active user of the organization with the same email address, if both the provider
 * and this service have verified it, and the provider's options say so. The page tells the user, and a notice goes to
 * the address.
 *
 * @returns Undefined if nobody was linked.
 */
export async function linkByEmail(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  external: ConfirmedExternal,
): Promise<PageResponse | undefined> {
  const found = await findUserToLink(parts, { orgId: visit.signIn.org.id, idp }, external.user, visit.caller);
  const expected = found && (await findExpectedUser(parts, visit));
  if (found === undefined || (expected !== undefined && expected.id !== found.id)) return undefined;
  const { id: externalUserId, otherIds } = external.user;
  const link = { idpId: idp.id, externalUserId, otherIds, displayName: toLinkName(idp, external.user) };
  const user = await linkExternalUser(parts, found, idp, link, visit.caller);
  if (user === undefined) return undefined;
  parts.metrics?.signInChecked("idp", "success");
  visit.caller.throwIfOver();
  await parts.interactions.prove(visit.signIn, { userId: user.id, sequence: user.sequence });
  return linkedPage(parts, visit, { user, proved: toProvedByIdp(idp, external) }, idp);
}
