import { create } from "@bufbuild/protobuf";
import { OIDCMappingField } from "../../gen/signet/v1/idp_pb.js";
import { type ImportHumanUserRequest, ImportHumanUserRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { SignetError } from "../errors.ts";
import { checkMessage } from "../fields/check-message.ts";
import { describeStoredLanguageProblem } from "../fields/language.ts";
import { cutName, describeNameProblem } from "../fields/name.ts";
import type { SignInIdp } from "../idps/find-sign-in-idp.ts";
import { checkImportHumanUser, type HumanToImport } from "../users/check-import-human-user.ts";
import type { ExternalUser } from "./external-user.ts";

/** The fields that a user can change before the registration. */
export interface RegistrationFields {
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export type CheckedRegistration =
  | { readonly ok: true; readonly human: HumanToImport }
  /** The missing or invalid fields. */
  | { readonly ok: false; readonly invalid: ReadonlySet<keyof RegistrationFields> };

/** An external user who was confirmed by a provider and is not linked to a user of the organization. */
export interface ConfirmedExternal {
  readonly idpId: string;
  readonly user: ExternalUser;
  /** Whether the browser keeps the session when it closes. */
  readonly remember: boolean;
}

type Mapping = Pick<SignInIdp, "id" | "usernameMapping" | "displayNameMapping">;

const PATHS: Readonly<Record<string, keyof RegistrationFields>> = {
  userName: "userName",
  "profile.firstName": "firstName",
  "profile.lastName": "lastName",
  "email.email": "email",
};

/** The provider's values for the fields; empty if there is none. */
export function suggestRegistration(idp: Mapping, user: ExternalUser): RegistrationFields {
  const { givenName, familyName, email } = user;
  return { userName: mapName(idp.usernameMapping, user), firstName: givenName, lastName: familyName, email };
}

/**
 * Checks the fields of a new user by the rules of ImportHumanUser. Details that the user did not enter are omitted if
 * they violate a rule.
 *
 * The address counts as verified if the provider has verified the same one.
 */
export async function checkRegistration(
  idp: Mapping,
  user: ExternalUser,
  fields: RegistrationFields,
): Promise<CheckedRegistration> {
  const { nickname, locale, email, emailVerified } = user;
  const displayName = toLinkName(idp, user);
  const request = create(ImportHumanUserRequestSchema, {
    userName: fields.userName.trim(),
    profile: {
      firstName: fields.firstName.trim(),
      lastName: fields.lastName.trim(),
      nickName: describeNameProblem(nickname) === undefined ? nickname : "",
      displayName,
      preferredLanguage: isLanguage(locale) ? locale : "",
    },
    email: { email: fields.email.trim(), isEmailVerified: emailVerified && fields.email.trim() === email },
    idps: [{ configId: idp.id, externalUserId: user.id, displayName }],
  });
  return check(request);
}

/** The display name of a link to the external user, and of the user registered with it; may be empty. */
export function toLinkName(idp: Mapping, user: ExternalUser): string {
  const candidates = [mapName(idp.displayNameMapping, user), user.name].map(cutName);
  return candidates.find((name) => name !== "" && describeNameProblem(name) === undefined) ?? "";
}

/** An address that the provider has not verified could belong to anyone. */
function mapName(mapping: number, { preferredUsername, email, emailVerified }: ExternalUser): string {
  const usesEmail = mapping === OIDCMappingField.OIDC_MAPPING_FIELD_EMAIL && emailVerified && email !== "";
  return usesEmail ? email : preferredUsername;
}

function isLanguage(locale: string): boolean {
  return locale !== "" && locale.length <= 10 && describeStoredLanguageProblem(locale) === undefined;
}

async function check(request: ImportHumanUserRequest): Promise<CheckedRegistration> {
  let human: HumanToImport | undefined;
  try {
    await checkMessage(ImportHumanUserRequestSchema, request, (problems) => {
      human = checkImportHumanUser(request, problems);
    });
  } catch (error) {
    if (!(error instanceof SignetError) || error.reason !== "INVALID_ARGUMENT") throw error;
    const invalid = error.violations.map(({ field }) => PATHS[field]);
    const known = invalid.filter((field) => field !== undefined);
    if (known.length < invalid.length) throw error;
    return { ok: false, invalid: new Set(known) };
  }
  if (human === undefined) throw new Error("the request was not checked");
  return { ok: true, human };
}
