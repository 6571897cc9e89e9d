import type { NewMessageText } from "../branding/check-message-text.ts";
import { findLabel, type GetLabelPolicyParts } from "../branding/get-label-policy.ts";
import { rulesOf, toTextKey } from "../branding/message-texts.ts";
import type { Call } from "../call.ts";
import type { Owner } from "../owner.ts";
import { renderEmail, renderResetSms, renderSms } from "./templates/render.ts";

/** A rendered message. An SMS has neither a subject nor HTML. */
export interface PreviewedMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** No code has this id, so that the link of a preview opens nothing. */
const EXAMPLE = "00000000-0000-0000-0000-000000000000.example";

/**
 * Renders a message with texts that need not be stored, in the branding of the owner.
 *
 * @throws SignetError for a failure of the database.
 */
export async function previewMessageText(
  { db, publicUrl }: GetLabelPolicyParts & { readonly publicUrl: string },
  { kind, language, texts }: NewMessageText,
  owner: Owner,
  call: Call,
): Promise<PreviewedMessage> {
  const customTexts = { [toTextKey(kind, language)]: texts };
  const { host } = new URL(publicUrl);
  const link = `${publicUrl}/ui/init?code=${EXAMPLE}`;
  if (rulesOf(kind).channel === "sms") {
    const text =
      kind === "password-reset-sms"
        ? renderResetSms({ language, link, host, customTexts })
        : renderSms({ language, digits: "123456", link, host, customTexts });
    return { subject: "", text, html: "" };
  }
  const { label } = await findLabel(db, "active", { ownerId: owner.id, instanceId: call.instanceId }, call);
  const code = kind === "initialization" ? "initialization" : kind === "password-reset" ? "password" : "email";
  const reader = { displayName: "", language, recipient: "", label, customTexts };
  const { subject, text, html } = renderEmail({ ...reader, kind: code, link, isVerified: false });
  return { subject, text, html };
}
