import { TEXTS } from "../../texts/languages.ts";
import { SIGN_IN_CODE } from "../sign-in-code-message.ts";
import { type EmailReader, layOut, type RenderedEmail, textsOf, toLanguage } from "./render.ts";

/** Renders the email with a code (docs/messages.md). The subject does not have it, because locked phones show subjects. */
export function renderSignInCode(
  reader: EmailReader,
  { digits, host }: { readonly digits: string; readonly host: string },
): RenderedEmail {
  const { email, signInCode } = TEXTS[toLanguage(reader)].messages;
  const { subject, occasion, request } = textsOf(reader, SIGN_IN_CODE, { host });
  const { userName: _, ...shown } = reader;
  const { unexpected } = email;
  return layOut(shown, {
    ...{ subject, occasion, request, details: [digits], advice: signInCode.advice, action: undefined, unexpected },
  });
}
