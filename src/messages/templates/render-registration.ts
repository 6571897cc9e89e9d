import { type Language, TEXTS } from "../../texts/languages.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { REGISTRATION_SECONDS, type RegistrationKind } from "../registration-message.ts";
import { type EmailReader, layOut, type RenderedEmail, textsOf } from "./render.ts";
import { toGreetingName } from "./shown-names.ts";

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
  const forApp = appName === undefined ? "" : `${fillIn(registrationFor, { app: appName })} `;
  const changed = { request: forApp + registration[kind].request };
  const texts = textsOf(reader, kind, { host: new URL(link).host }, changed);
  const validity =
    kind === "registration" ? { validity: fillIn(email.validity, { hours: REGISTRATION_SECONDS / 3_600 }) } : {};
  return layOut(
    { ...reader, displayName: "" },
    {
      ...texts,
      action: { ...validity, button: texts.button, openLink: email.openLink, copyLink: email.copyLink, link },
      unexpected: email.unexpected,
    },
  );
}
