import { create } from "@bufbuild/protobuf";
import { type LabelPolicy, LabelPolicySchema, ThemeMode } from "../../../gen/signet/v1/label_policy_pb.js";
import { MessageTextType } from "../../../gen/signet/v1/message_text_pb.js";
import { ObjectDetailsSchema } from "../../../gen/signet/v1/object_pb.js";
import type { FoundLabel } from "../../branding/get-label-policy.ts";
import { toImagePath } from "../../branding/image-path.ts";
import type { FoundMessageText } from "../../branding/list-message-texts.ts";
import type { FoundPageText } from "../../branding/list-page-texts.ts";
import { MESSAGES, type MessageKind, rulesOf } from "../../branding/message-texts.ts";
import { PREVIEW_SECONDS, type PreviewedLabel } from "../../branding/preview-label-policy.ts";
import { toDetails } from "./details.ts";

/** The response with a label policy of an organization. */
export function toLabelPolicyResponse(found: FoundLabel, publicUrl: string) {
  return { policy: toLabelPolicy(found, publicUrl), isDefault: found.isInherited };
}

/** The same, with the policy of the instance. */
export function toOrgLabelPolicyResponse(found: FoundLabel & { readonly ofInstance: FoundLabel }, publicUrl: string) {
  return { ...toLabelPolicyResponse(found, publicUrl), instancePolicy: toLabelPolicy(found.ofInstance, publicUrl) };
}

/** The response with a label policy and the link to its preview. */
export function toPreviewResponse(found: PreviewedLabel, publicUrl: string) {
  return {
    ...toLabelPolicyResponse(found, publicUrl),
    previewUrl: found.previewUrl,
    previewLifetime: { seconds: BigInt(PREVIEW_SECONDS) },
  };
}

function toLabelPolicy({ label, ownerId, row, isInherited }: FoundLabel, publicUrl: string): LabelPolicy {
  const { logo, logoDark, icon, iconDark = null, ...settings } = label;
  const toUrl = (hash: string | null) => (hash === null ? "" : `${publicUrl}${toImagePath(hash)}`);
  return create(LabelPolicySchema, {
    ...settings,
    details: row === undefined ? create(ObjectDetailsSchema, { resourceOwner: ownerId }) : toDetails(row, ownerId),
    isDefault: isInherited,
    logoUrl: toUrl(logo),
    logoUrlDark: toUrl(logoDark),
    iconUrl: toUrl(icon),
    iconUrlDark: toUrl(iconDark),
    themeMode: ThemeMode.AUTO,
  });
}

/** The numbers of the messages, which have the same names in the enum. */
export const MESSAGE_TEXT_TYPES = Object.fromEntries(
  (Object.keys(MESSAGES) as MessageKind[]).map((kind) => [kind, MessageTextType[toEnumName(kind)]]),
) as Readonly<Record<MessageKind, MessageTextType>>;

function toEnumName(kind: MessageKind): keyof typeof MessageTextType {
  return kind.toUpperCase().replaceAll("-", "_") as keyof typeof MessageTextType;
}

/** The response with the texts of all messages in a language. */
export function toMessageTexts(found: readonly FoundMessageText[]) {
  return {
    result: found.map(({ kind, language, texts: { subject, text, button }, isDefault }) => {
      const placeholders = rulesOf(kind).placeholders.map((name) => `{{${name}}}`);
      return { type: MESSAGE_TEXT_TYPES[kind], language, subject, text, buttonText: button, isDefault, placeholders };
    }),
  };
}

/** The response with the texts of pages in a language. */
export function toPageTexts(found: readonly FoundPageText[]) {
  return { result: found.map(({ placeholders, ...text }) => ({ ...text, placeholders: [...placeholders] })) };
}
