import type { NewMessageText } from "../branding/check-message-text.ts";
import { findLabel, type GetLabelPolicyParts } from "../branding/get-label-policy.ts";
import { toTextKey } from "../branding/message-texts.ts";
import { findRegisteredName, withOrgName } from "../branding/org-name.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Owner } from "../owner.ts";
import { type RenderedEmail, renderEmail, renderResetSms, renderSms } from "./templates/render.ts";
import { renderNotice } from "./templates/render-notice.ts";
import { renderRegistration } from "./templates/render-registration.ts";
import { renderSignInCode } from "./templates/render-sign-in-code.ts";

/** A rendered message. An SMS has neither a subject nor HTML. */
interface PreviewedMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface PreviewParts extends GetLabelPolicyParts {
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** No code has this id, so that the link of a preview opens nothing. */
const EXAMPLE = "00000000-0000-0000-0000-000000000000.example";
const EXAMPLE_BROWSER = { browser: "Firefox", system: "Linux" };

/**
 * Renders a message with texts that need not be stored, in the branding of the owner.
 *
 * @throws SignetError for a failure of the database.
 */
export async function previewMessageText(
  parts: PreviewParts,
  { kind, language, texts }: NewMessageText,
  owner: Owner,
  call: Call,
): Promise<PreviewedMessage> {
  const { db, clock, publicUrl } = parts;
  const customTexts = { [toTextKey(kind, language)]: texts };
  const { host } = new URL(publicUrl);
  const link = `${publicUrl}/ui/init?code=${EXAMPLE}`;
  if (kind === "password-reset-sms") return toPreview(renderResetSms({ language, link, host, customTexts }));
  if (kind === "phone-verification") {
    return toPreview(renderSms({ language, digits: "123456", link, host, customTexts }));
  }
  const found = await findLabel(db, "active", { ownerId: owner.id, instanceId: call.instanceId }, call);
  const label = withOrgName(found.label, await findRegisteredName(db, owner.id, call));
  const reader = { displayName: "", language, recipient: "", label, customTexts };
  switch (kind) {
    case "initialization":
      return toPreview(renderEmail({ ...reader, kind: "initialization", link, isVerified: false }));
    case "email-verification":
      return toPreview(renderEmail({ ...reader, kind: "email", link, isVerified: false }));
    case "password-reset":
      return toPreview(renderEmail({ ...reader, kind: "password", link, isVerified: false }));
    case "registration":
    case "registration-taken":
      return toPreview(renderRegistration(reader, { kind, link }));
    case "sign-in-code":
      return toPreview(renderSignInCode(reader, { digits: "123456", host }));
    default:
      return toPreview(
        renderNotice(reader, { notice: kind, at: clock(), by: EXAMPLE_BROWSER, publicUrl, orgId: owner.id }),
      );
  }
}

/** @param rendered An email, or the text of an SMS. */
function toPreview(rendered: string | RenderedEmail): PreviewedMessage {
  if (typeof rendered === "string") return { subject: "", text: rendered, html: "" };
  const { subject, text, html } = rendered;
  return { subject, text, html };
}
