import { type Language, TEXTS } from "../../texts/languages.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { REGISTRATION_SECONDS, type RegistrationKind } from "../registration-message.ts";
import { type EmailReader, findCustomTexts, layOut, type RenderedEmail } from "./render.ts";

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
  const built = registration[kind];
  const custom = findCustomTexts(reader, kind);
  const { subject, button } = custom ?? built;
  const { host } = new URL(link);
  const validity = kind === "registration" ? { validity: email.validity(REGISTRATION_SECONDS / 3_600) } : {};
  return layOut(
    { ...reader, displayName: "" },
    {
      subject,
      occasion: custom === undefined ? built.occasion(host) : fillIn(custom.text, { host }),
      request: custom === undefined ? built.request : "",
      action: { ...validity, button, openLink: email.openLink, copyLink: email.copyLink, link },
      unexpected: email.unexpected,
    },
  );
}
