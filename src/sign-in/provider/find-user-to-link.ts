import type { QueryCaller } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { userNameKey } from "../../fields/user-name.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { AUTO_LINKING } from "../../idps/stored-numbers.ts";
import { findIdentifiedUser, type SignInUser } from "../find-sign-in-user.ts";
import type { ExternalUser } from "./external-user.ts";

/**
 * Finds the only active user of an organization with the email address of an external user, if both the provider and this
 * service have verified it, and the provider's options let them be linked without a question.
 */
export async function findUserToLink(
  parts: { readonly db: Database },
  { orgId, idp }: { readonly orgId: string; readonly idp: SignInIdp },
  { email, emailVerified }: ExternalUser,
  caller: QueryCaller,
): Promise<SignInUser | undefined> {
  if (idp.autoLinking !== AUTO_LINKING.email || !idp.isLinkingAllowed || !emailVerified || email === "") {
    return undefined;
  }
  // No user has an empty name.
  const identifier = { orgId, nameKey: "", emailKey: userNameKey(email), phone: null };
  const user = await findIdentifiedUser(parts, identifier, caller);
  // Anyone who controls a provider of the organization could otherwise get the user's roles elsewhere.
  return user?.hasRolesElsewhere && !idp.isOfInstance ? undefined : user;
}
