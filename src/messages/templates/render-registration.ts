import { type Language, TEXTS } from "../../texts/languages.ts";
import { REGISTRATION_SECONDS, type RegistrationKind } from "../registration-message.ts";
import { toGreetingName } from "./greeting-name.ts";
import { type EmailReader, layOut, type RenderedEmail, replaceTexts } from "./render.ts";

/**
 * Renders the email to somebody who wants to register with an address (docs/messages.md). It contains nothing that this
 * person has entered except the address.
 *
 * @param message `app` is the name of the application to which the person signs in.
 */
export function renderRegistration(
  reader: Pick<EmailReader, "label" | "hasLogo" | "recipient"> &
    Required<Pick<EmailReader, "customTexts">> & { readonly language: Language },
  {
    kind,
    link,
    app = "",
  }: { readonly kind: RegistrationKind; readonly link: string; readonly app?: string | undefined },
): RenderedEmail {
  const { email, registration, registrationFor } = TEXTS[reader.language].messages;
  const appName = toGreetingName(app);
  const forApp = appName === undefined ? "" : ` ${registrationFor(appName)}`;
  const built = { ...registration[kind], occasion: (host: string) => registration[kind].occasion(host) + forApp };
  const { subject, occasion, request, button } = replaceTexts(reader, kind, built, new URL(link).host);
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
