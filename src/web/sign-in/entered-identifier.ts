import type { LoginPolicy } from "../../policies/login-policy.ts";
import { type AcceptedIdentifiers, type Identifier, readIdentifier } from "../../sign-in/identifier.ts";
import type { IdentifierTexts } from "../../texts/shapes/sign-in-texts.ts";
import { acceptedRegion } from "../frame/accepted-region.ts";
import type { SignInVisit } from "./sign-in-parts.ts";

/** Reads what was entered to identify a user. A number without a calling code is one of the browser's region. */
export function enteredIdentifier({ request, identifiers }: SignInVisit, entered: string): Identifier {
  return readIdentifier(entered, identifiers, acceptedRegion(request.headers));
}

/** How users are found besides by user name, according to the login policy. */
export function acceptedIdentifiers({
  disableLoginWithEmail,
  disableLoginWithPhone,
}: LoginPolicy): AcceptedIdentifiers {
  return { byEmail: !disableLoginWithEmail, byPhone: !disableLoginWithPhone };
}

/** The texts about the field, depending on what it accepts. */
export function identifierTexts({
  language,
  identifiers: { byEmail, byPhone },
}: SignInVisit): IdentifierTexts & { readonly shared?: string } {
  const texts = language.texts.signIn.identifiers;
  if (byEmail) return texts.withEmail;
  return byPhone ? texts.withPhone : texts.nameOnly;
}
