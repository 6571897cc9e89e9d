import { type Language, TEXTS } from "../../texts/languages.ts";
import { REGISTRATION_SECONDS, type RegistrationKind } from "../registration-message.ts";
import { type EmailReader, layOut, type RenderedEmail, replaceTexts } from "./render.ts";

/**
 * Renders the email to somebody who wants to register with an address (docs/messages.md). It contains nothing that this
 * person has entered except the address.
 */
export function renderRegistration(
  reader: Pick<EmailReader, "label" | "recipient"> &
    Required<Pick<EmailReader, "customTexts">> & { readonly language: Language },
  { kind, link }: { readonly kind: RegistrationKind; readonly link: string },
): RenderedEmail {
  const { email, registration } = TEXTS[reader.language].messages;
  const { subject, occasion, request, button } = replaceTexts(reader, kind, registration[kind], new URL(link).host);
  const validity = kind === "registration" ? { validity: email.validity(REGISTRATION_SECONDS / 3_600) } : {};
  return layOut(
    { ...reader, displayName: "" },
    {
      subject,
      occasion,
      request,
      action: { ...validity, button, openLink: email.openLink, copyLink: email.copyLink, link },
      unexpected: email.unexpected,
    },
  );
}
