import type { Logger } from "pino";
import type { Branding } from "../branding/create-brandings.ts";
import type { Label } from "../branding/label-settings.ts";
import { toLink } from "../codes/link.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Span } from "../telemetry/span.ts";
import type { ClaimedMessage } from "./claim-messages.ts";
import { type NoticeContent, openContent, type RegistrationContent } from "./message-content.ts";
import { isRegistrationKind } from "./registration-message.ts";
import type { Mail, Senders, SendOutcome } from "./senders/sender.ts";
import { SIGN_IN_CODE, type SignInCodeContent } from "./sign-in-code-message.ts";
import { type RenderedEmail, renderEmail, renderResetSms, renderSms } from "./templates/render.ts";
import { renderNotice } from "./templates/render-notice.ts";
import { renderRegistration } from "./templates/render-registration.ts";
import { renderSignInCode } from "./templates/render-sign-in-code.ts";

export interface SendMessageParts {
  readonly keyring: Keyring;
  readonly senders: Senders;
  /** The origin of links. */
  readonly publicUrl: string;
  /** Returns the branding of an organization. */
  readonly findBranding: (orgId: string) => Promise<Branding>;
  /** Returns the logo that emails in a branding carry; undefined if there is none. */
  readonly findLogo: (label: Label) => Promise<Buffer | undefined>;
  readonly log: Logger;
}

/** Decrypts, renders and sends a message. Never rejects. */
export async function sendMessage(parts: SendMessageParts, message: ClaimedMessage, span?: Span): Promise<SendOutcome> {
  const { channel } = message;
  try {
    switch (channel) {
      case "email":
        return await sendEmail(parts, message, span);
      case "sms":
        return await sendSms(parts, message, span);
      default:
        return channel satisfies never;
    }
  } catch (error) {
    // For example, its key is missing. Log only the stack, because the error's properties may contain a link.
    const stack = error instanceof Error ? error.stack : String(error);
    parts.log.error({ stack, messageId: message.id }, "could not create a message");
    return { kind: "failed", error: "the message could not be created; see the log" };
  }
}

async function sendEmail(parts: SendMessageParts, message: ClaimedMessage, span?: Span): Promise<SendOutcome> {
  const { id, recipient: to, created_at: queuedAt } = message;
  const { email: sender } = parts.senders;
  if (sender === undefined) return NO_SENDER;
  const branding = await parts.findBranding(message.org_id);
  const logo = await parts.findLogo(branding.label);
  const mail = toMail(parts, message, branding, logo !== undefined);
  return await sender.send({ id, queuedAt, to, logo, ...mail }, span);
}

function toMail(
  { keyring, publicUrl }: SendMessageParts,
  message: ClaimedMessage,
  { label, orgName, customTexts }: Branding,
  hasLogo: boolean,
): RenderedEmail & Pick<Mail, "link"> {
  const { recipient, created_at: at, kind, notice, org_id: orgId, email_verified: isVerified } = message;
  if (isRegistrationKind(notice)) {
    const { language, register, signIn, app } = openContent<RegistrationContent>(keyring, message);
    const link = publicUrl + (notice === "registration" ? register : signIn);
    const reader = { label, hasLogo, customTexts, language, recipient };
    return { link, ...renderRegistration(reader, { kind: notice, link, app }) };
  }
  const reader = {
    ...{ label, hasLogo, orgName, customTexts, recipient, language: message.preferred_language },
    ...{ displayName: message.display_name ?? "", userName: message.user_name },
    inviterName: message.inviter_name ?? undefined,
  };
  if (notice === SIGN_IN_CODE) {
    const { digits } = openContent<SignInCodeContent>(keyring, message);
    return { link: undefined, ...renderSignInCode(reader, { digits, host: new URL(publicUrl).host }) };
  }
  if (notice !== null) {
    const by = message.content === null ? undefined : openContent<NoticeContent>(keyring, message);
    return { link: undefined, ...renderNotice(reader, { notice, at, by, publicUrl, orgId }) };
  }
  const { link } = openCode({ keyring, publicUrl }, message);
  return { link, ...renderEmail({ ...reader, kind, link, isVerified }) };
}

async function sendSms(parts: SendMessageParts, message: ClaimedMessage, span?: Span): Promise<SendOutcome> {
  const { id, recipient: to, created_at: queuedAt, kind, preferred_language: language } = message;
  const { sms: sender } = parts.senders;
  if (sender === undefined) return NO_SENDER;
  const code = openCode(parts, message);
  const { host } = new URL(parts.publicUrl);
  const { customTexts } = await parts.findBranding(message.org_id);
  const options = { language, ...code, host, customTexts };
  const text = kind === "password" ? renderResetSms(options) : renderSms(options);
  return await sender.send({ id, queuedAt, to, text }, span);
}

/** The link and the digits of a message. */
function openCode({ keyring, publicUrl }: Pick<SendMessageParts, "keyring" | "publicUrl">, message: ClaimedMessage) {
  if (message.code_id === null) throw new Error("the message carries no code");
  const { secret, digits = "" } = openContent(keyring, message);
  return { link: toLink(publicUrl, message.kind, { id: message.code_id, secret }), digits };
}

const NO_SENDER: SendOutcome = { kind: "failed", error: "no sender is configured" };
