import type { PageTexts } from "../../texts/page-language.ts";
import type { SignInVisit } from "./sign-in-parts.ts";

/** The texts about the field that identifies a user, depending on what it accepts. */
export function identifierTexts({
  language,
  signIn,
}: SignInVisit): PageTexts["signIn"]["identifiers"]["nameOnly"] & { readonly shared?: string } {
  const texts = language.texts.signIn.identifiers;
  if (!signIn.policy.disableLoginWithEmail) return texts.withEmail;
  return signIn.policy.disableLoginWithPhone ? texts.nameOnly : texts.withPhone;
}
