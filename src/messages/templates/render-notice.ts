import type { UserAgent } from "../../parse-user-agent.ts";
import type { Notice } from "../../texts/en/notices.ts";
import { type Language, TEXTS } from "../../texts/languages.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { type EmailReader, layOut, type RenderedEmail, textsOf, toLanguage } from "./render.ts";

interface ReportedChange {
  readonly notice: Notice;
  readonly at: Date;
  /** The browser in which the user has made the change; undefined if someone else has made it. */
  readonly by: UserAgent | undefined;
  /** The origin of the link to the account page, and the user's organization. */
  readonly publicUrl: string;
  readonly orgId: string;
}

/**
 * Renders the email that reports a change (docs/messages.md). It contains nothing that a caller can choose, such as the
 * name of a passkey or a provider: mail clients could turn it into a link.
 */
export function renderNotice(reader: EmailReader, { notice, at, by, publicUrl, orgId }: ReportedChange): RenderedEmail {
  const language = toLanguage(reader);
  const {
    notices,
    email: { openLink, copyLink },
  } = TEXTS[language].messages;
  const { subject, occasion, button } = textsOf(reader, notice, { host: new URL(publicUrl).host });
  const names = [by?.browser, by?.system].filter((name) => name !== undefined).join(", ");
  // Whoever has the new address can get a link to reset the password, so only an administrator can help.
  const hasLink = notice !== "email-changed";
  const link = `${publicUrl}/ui/account?org=${orgId}`;
  const { userName: _, ...shown } = reader;
  return layOut(shown, {
    subject,
    occasion,
    request: by === undefined ? notices.byOther : "",
    details: [
      fillIn(notices.time, { time: formatTime(at, language) }),
      ...(names === "" ? [] : [fillIn(notices.browser, { names })]),
    ],
    advice: hasLink ? notices.advice : notices.adviceWithoutLink,
    action: hasLink ? { openLink, copyLink, button, link } : undefined,
    unexpected: "",
  });
}

/** Seconds and zone included, such as `November 23, 2026 at 7:20:05 PM UTC`. */
function formatTime(at: Date, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "long", timeZone: "UTC" }).format(at);
}
