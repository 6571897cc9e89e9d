import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { findLinkedUser } from "../../sign-in/find-sign-in-user.ts";
import { recordIdpCheck } from "../../sign-in/link-external-user.ts";
import type { PageResponse } from "../frame/page.ts";
import { findExpectedUser } from "./expected-user.ts";
import { askAgain } from "./first-page.ts";
import { enterGates } from "./gates.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { IDP_TEXTS } from "./texts/idp-texts.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";

/** The value of `amr` after a sign-in with a provider. RFC 8176 does not define one; other products use this one. */
const METHODS = ["fed"];

/** Signs in the user linked to an external user; undefined if there is none. */
export async function signInLinkedUser(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  { externalUserId, remember }: { readonly externalUserId: string; readonly remember: boolean },
): Promise<PageResponse | undefined> {
  const { signIn, language, caller } = visit;
  const linked = await findLinkedUser(parts, { orgId: signIn.org.id, idpId: idp.id, externalUserId }, caller);
  if (linked === undefined) return undefined;
  const expected = await findExpectedUser(parts, visit);
  if (expected !== undefined && expected.id !== linked.id) {
    return askAgain(parts, visit, SIGN_IN_TEXTS[language].errors.otherUser(expected.userName));
  }
  const user = await recordIdpCheck(parts, linked, idp.id, caller);
  parts.metrics?.signInChecked("idp", user === undefined ? "failure" : "success");
  if (user === undefined) return askAgain(parts, visit, IDP_TEXTS[language].errors.blocked);
  return await enterGates(parts, visit, user, { methods: METHODS, remember, idpId: idp.id });
}
