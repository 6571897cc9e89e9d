import type { QueryCaller } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { userNameKey } from "../../fields/user-name.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { AUTO_LINKING } from "../../idps/stored-numbers.ts";
import { findLoginPolicy } from "../../policies/get-login-policy.ts";
import { findTakenValues } from "../../users/read/find-taken-values.ts";
import type { RegistrationFields } from "../check-entered.ts";
import { findIdentifiedUser, findLinkedUser, type SignInUser } from "../find-sign-in-user.ts";
import { checkRegistration, suggestRegistration } from "./check-registration.ts";
import type { ExternalUser } from "./external-user.ts";

/** What a sign-in of an external user would result in. */
export type Preview =
  /** The login policy allows no providers. */
  | { readonly kind: "not-allowed" }
  /** The linked user signs in, and is updated from the provider. */
  | { readonly kind: "signs-in"; readonly user: SignInUser; readonly isUpdated: boolean }
  /** The linked user is not active. */
  | { readonly kind: "blocked"; readonly user: SignInUser }
  /** The user with the verified address is linked without a question. */
  | { readonly kind: "links"; readonly user: SignInUser }
  | { readonly kind: "registers" }
  /** The person is asked what to do. */
  | {
      readonly kind: "asks";
      readonly mayLink: boolean;
      readonly mayRegister: boolean;
      /** What prevents a registration without a form. */
      readonly invalid: ReadonlySet<keyof RegistrationFields>;
      readonly isForeignAddress: boolean;
      readonly isNameTaken: boolean;
      readonly isAddressTaken: boolean;
    };

/**
 * Decides what a sign-in would do with an external user, and does nothing. The rules are those of the sign-in
 * (`src/web/sign-in/provider`), which an application can restrict further.
 */
export async function previewSignIn(
  parts: { readonly db: Database },
  { orgId, idp }: { readonly orgId: string; readonly idp: SignInIdp },
  external: ExternalUser,
  caller: QueryCaller,
): Promise<Preview> {
  const { allowExternalIdp } = await findLoginPolicy(parts, orgId, caller);
  if (!allowExternalIdp) return { kind: "not-allowed" };
  const key = { orgId, idpId: idp.id, externalUserId: external.id, otherIds: external.otherIds };
  const linked = await findLinkedUser(parts, key, caller);
  if (linked !== undefined && linked.state !== "active") return { kind: "blocked", user: linked };
  if (linked !== undefined) return { kind: "signs-in", user: linked, isUpdated: isUpdatedFrom(idp, linked) };
  const found = await findUserToLink(parts, { orgId, idp }, external, caller);
  if (found?.state === "active") return { kind: "links", user: found };
  const fields = suggestRegistration(idp, external);
  const checked = checkRegistration(idp, external, fields);
  const taken = await findTaken(parts, { orgId, fields, isVerified: external.emailVerified }, caller);
  const { isLinkingAllowed: mayLink, isCreationAllowed: mayRegister } = idp;
  if (mayRegister && idp.autoRegister && checked.ok && !taken.isNameTaken && !taken.isAddressTaken) {
    return { kind: "registers" };
  }
  const problems = checked.ok ? { invalid: NONE, isForeignAddress: false } : { isForeignAddress: false, ...checked };
  return { kind: "asks", mayLink, mayRegister, ...problems, ...taken };
}

const NONE: ReadonlySet<keyof RegistrationFields> = new Set();

/**
 * Whether a sign-in takes over the names and the address of the provider. Anyone who controls a provider of the
 * organization could otherwise get the user's roles elsewhere by a new address.
 */
export function isUpdatedFrom(idp: SignInIdp, { hasRolesElsewhere }: SignInUser): boolean {
  return idp.isAutoUpdate && (idp.isOfInstance || !hasRolesElsewhere);
}

/** An address is asked for as a name: it is taken by a user with this name, and by one who has verified it. */
async function findTaken(
  parts: { readonly db: Database },
  { orgId, fields, isVerified }: { orgId: string; fields: RegistrationFields; isVerified: boolean },
  caller: QueryCaller,
): Promise<{ readonly isNameTaken: boolean; readonly isAddressTaken: boolean }> {
  const others = { externalId: new Uint8Array(), subject: "", idps: [] };
  const users = [fields.userName, isVerified ? fields.email : ""].map((userName) => ({ ...others, userName }));
  const [isNameTaken = false, isAddressTaken = false] = (
    await findTakenValues(parts, { users }, { ...caller, orgId })
  ).map(({ taken }) => taken.length > 0);
  return { isNameTaken, isAddressTaken };
}

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
