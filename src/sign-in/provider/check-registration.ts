import { NO_PROFILE } from "../../database/profile.ts";
import { isForeignIdentifier } from "../../fields/foreign-identifier.ts";
import { isStoredLanguage } from "../../fields/language.ts";
import { cutName, describeNameProblem } from "../../fields/name.ts";
import { isNoAddress } from "../../fields/no-address.ts";
import { trimText } from "../../fields/trim-text.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { MAPPING_FIELD } from "../../idps/stored-numbers.ts";
import type { HumanToImport } from "../../users/import/check-import-human-user.ts";
import { checkEntered, type RegistrationFields } from "../check-entered.ts";
import type { ExternalUser } from "./external-user.ts";

export type CheckedRegistration =
  | { readonly ok: true; readonly human: HumanToImport }
  | {
      readonly ok: false;
      /** The missing or invalid fields. */
      readonly invalid: ReadonlySet<keyof RegistrationFields>;
      /** Whether the user name is an address or a number that the provider has not confirmed. */
      readonly isForeignAddress?: boolean;
    };

/** An external user who was confirmed by a provider and is not linked to a user of the organization. */
export interface ConfirmedExternal {
  readonly idpId: string;
  /** See `ConfirmedBy`. */
  readonly idpSequence: string;
  /** See `ProvedByIdp`. */
  readonly authTime: number | undefined;
  readonly isAssumed?: boolean | undefined;
  /** See `Proved`. */
  readonly isStale?: boolean | undefined;
  readonly user: ExternalUser;
  /** Whether the browser keeps the session when it closes. */
  readonly remember: boolean;
  /** Whether the sign-in began at the provider, so that anybody may have brought the browser here. */
  readonly isUnsolicited?: boolean;
}

type Mapping = Pick<SignInIdp, "id" | "usernameMapping" | "displayNameMapping">;

/** The provider's values for the fields; empty if there is none. */
export function suggestRegistration(idp: Mapping, user: ExternalUser): RegistrationFields {
  const { givenName, familyName, email } = user;
  return { userName: mapUserName(idp, user), firstName: givenName, lastName: familyName, email };
}

/**
 * Checks the fields of a new user by the rules of ImportHumanUser, and the user name by that of `isForeignIdentifier`.
 * Details that the user did not enter are omitted if they violate a rule.
 *
 * The address counts as verified if the provider has verified the same one.
 */
export function checkRegistration(idp: Mapping, user: ExternalUser, fields: RegistrationFields): CheckedRegistration {
  const { nickname, locale, email, emailVerified } = user;
  const displayName = toLinkName(idp, user);
  const isNameEntered = fields.firstName.trim() !== user.givenName || fields.lastName.trim() !== user.familyName;
  const { human, invalid } = checkEntered({
    userName: fields.userName,
    profile: {
      ...NO_PROFILE,
      firstName: fields.firstName,
      lastName: fields.lastName,
      nickName: describeNameProblem(nickname) === undefined ? nickname : "",
      // Names that the user has entered are those to show.
      displayName: isNameEntered ? "" : displayName,
      preferredLanguage: isStoredLanguage(locale) ? locale : "",
    },
    email: { email: fields.email, isEmailVerified: emailVerified && trimText(fields.email) === email },
    idps: [{ configId: idp.id, externalUserId: user.id, displayName }],
  });
  // It would not have to be verified.
  if (isNoAddress(fields.email)) invalid.add("email");
  if (invalid.size > 0) return { ok: false, invalid };
  const isForeignAddress = isForeignIdentifier(fields.userName, [verifiedEmail(user)]);
  return isForeignAddress ? { ok: false, invalid, isForeignAddress } : { ok: true, human };
}

/** The display name of a link to the external user, and of the user registered with it; may be empty. */
export function toLinkName(idp: Mapping, user: ExternalUser): string {
  const mapped = mapName(idp.displayNameMapping, user);
  const isSpecified = idp.displayNameMapping !== MAPPING_FIELD.unspecified;
  const fullName = `${user.givenName} ${user.familyName}`.trim();
  const candidates = isSpecified ? [mapped, user.name, fullName] : [user.name, fullName, mapped];
  return candidates.map(cutName).find((name) => name !== "" && describeNameProblem(name) === undefined) ?? "";
}

/**
 * The user name: the claim of the mapping, or the other one if it is missing, or an address or a number that the provider
 * has not verified. Google and others send no `preferred_username`.
 */
function mapUserName({ usernameMapping }: Mapping, user: ExternalUser): string {
  const mapped = mapName(usernameMapping, user);
  const verified = verifiedEmail(user);
  return isForeignIdentifier(mapped, [verified]) ? verified : mapped || verified;
}

function mapName(mapping: number, user: ExternalUser): string {
  const email = mapping === MAPPING_FIELD.email ? verifiedEmail(user) : "";
  return email || user.preferredUsername;
}

/** An address that the provider has not verified could belong to anyone. */
function verifiedEmail({ email, emailVerified }: ExternalUser): string {
  return emailVerified ? email : "";
}
