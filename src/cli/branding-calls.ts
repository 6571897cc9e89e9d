import { type JsonValue, toJson } from "@bufbuild/protobuf";
import {
  AdminServiceGetLabelPolicyResponseSchema,
  AdminServiceGetPreviewLabelPolicyResponseSchema,
  type UpdateLabelPolicyRequest,
} from "../../gen/signet/v1/label_policy_instance_pb.js";
import {
  GetLabelPolicyResponseSchema,
  GetPreviewLabelPolicyResponseSchema,
} from "../../gen/signet/v1/label_policy_org_pb.js";
import type { LabelPolicy, LabelPolicyImage } from "../../gen/signet/v1/label_policy_pb.js";
import { ListDefaultMessageTextsResponseSchema } from "../../gen/signet/v1/message_text_instance_pb.js";
import { ListCustomMessageTextsResponseSchema } from "../../gen/signet/v1/message_text_org_pb.js";
import type { MessageText, MessageTextType } from "../../gen/signet/v1/message_text_pb.js";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import { ListDefaultPageTextsResponseSchema } from "../../gen/signet/v1/page_text_instance_pb.js";
import { ListCustomPageTextsResponseSchema } from "../../gen/signet/v1/page_text_org_pb.js";
import type { PageText } from "../../gen/signet/v1/page_text_pb.js";
import { inOrg } from "../moving/in-org.ts";
import type { Api } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";

/** Whose branding: an organization's, by default that of the token, or the instance's. */
export interface BrandingOwner {
  /** Id or name. */
  readonly org?: string;
  readonly instance: boolean;
}

/** The settings of a label policy that can be changed. */
export type LabelSettings = Pick<
  UpdateLabelPolicyRequest,
  "primaryColor" | "primaryColorDark" | "disableWatermark" | "name" | "supportAddress" | "termsUrl" | "privacyUrl"
>;

export type ImageName = "logo" | "logo-dark" | "icon" | "icon-dark";

interface Changed {
  readonly details?: ObjectDetails | undefined;
}

interface Read {
  /** The response of the call. */
  readonly json: JsonValue;
}

interface FoundPolicy extends Read {
  readonly policy?: LabelPolicy | undefined;
  /** The page that shows the policy as last edited. */
  readonly previewUrl?: string;
}

interface FoundTexts<Text> extends Read {
  readonly texts: readonly Text[];
}

/** The calls for the branding of one owner. */
interface BrandingCalls {
  /** The policy as last edited, with the URL that shows it. */
  readDraft(): Promise<FoundPolicy>;
  readActive(): Promise<FoundPolicy>;
  /** @param isNew Whether the owner has no policy yet. */
  write(settings: LabelSettings, isNew: boolean): Promise<Changed>;
  upload(image: LabelPolicyImage, data: Uint8Array<ArrayBuffer>): Promise<Changed>;
  remove(image: ImageName): Promise<Changed>;
  activate(): Promise<Changed>;
  reset(): Promise<Changed>;
  listPageTexts(language: string): Promise<FoundTexts<PageText>>;
  setPageText(language: string, key: string, text: string): Promise<Changed>;
  resetPageTexts(language: string): Promise<Changed>;
  listMessageTexts(language: string): Promise<FoundTexts<MessageText>>;
  setMessageText(message: MessageId, texts: { subject: string; text: string; buttonText: string }): Promise<Changed>;
  resetMessageText(message: MessageId): Promise<Changed>;
}

/** A message in a language. */
interface MessageId {
  readonly type: MessageTextType;
  readonly language: string;
}

/** @throws ConfigError if no organization has the name. */
export async function openBranding(api: Api, { org, instance }: BrandingOwner): Promise<BrandingCalls> {
  return instance ? ofInstance(api) : ofOrg(api, await findNamedOrg(api, org));
}

function ofInstance({ admin }: Api): BrandingCalls {
  return {
    async readDraft() {
      const response = await admin.getPreviewLabelPolicy({});
      const { policy, previewUrl } = response;
      return { policy, previewUrl, json: toJson(AdminServiceGetPreviewLabelPolicyResponseSchema, response) };
    },
    async readActive() {
      const response = await admin.getLabelPolicy({});
      return { policy: response.policy, json: toJson(AdminServiceGetLabelPolicyResponseSchema, response) };
    },
    write: (settings) => admin.updateLabelPolicy(settings),
    upload: (image, data) => admin.uploadLabelPolicyImage({ image, data }),
    remove(image) {
      switch (image) {
        case "logo":
          return admin.removeLabelPolicyLogo({});
        case "logo-dark":
          return admin.removeLabelPolicyLogoDark({});
        case "icon":
          return admin.removeLabelPolicyIcon({});
        case "icon-dark":
          return admin.removeLabelPolicyIconDark({});
        default:
          return image satisfies never;
      }
    },
    activate: () => admin.activateLabelPolicy({}),
    reset: () => admin.resetInstanceLabelPolicyToDefault({}),
    async listPageTexts(language) {
      const response = await admin.listDefaultPageTexts({ language });
      return { texts: response.result, json: toJson(ListDefaultPageTextsResponseSchema, response) };
    },
    setPageText: (language, key, text) => admin.setDefaultPageTexts({ language, texts: [{ key, text }] }),
    resetPageTexts: (language) => admin.resetDefaultPageTextsToDefault({ language }),
    async listMessageTexts(language) {
      const response = await admin.listDefaultMessageTexts({ language });
      return { texts: response.result, json: toJson(ListDefaultMessageTextsResponseSchema, response) };
    },
    setMessageText: (message, texts) => admin.setDefaultMessageText({ ...message, ...texts }),
    resetMessageText: (message) => admin.resetDefaultMessageTextToDefault(message),
  };
}

function ofOrg({ management }: Api, orgId: string | undefined): BrandingCalls {
  const options = inOrg(orgId);
  return {
    async readDraft() {
      const response = await management.getPreviewLabelPolicy({}, options);
      const { policy, previewUrl } = response;
      return { policy, previewUrl, json: toJson(GetPreviewLabelPolicyResponseSchema, response) };
    },
    async readActive() {
      const response = await management.getLabelPolicy({}, options);
      return { policy: response.policy, json: toJson(GetLabelPolicyResponseSchema, response) };
    },
    write: (settings, isNew) =>
      isNew
        ? management.addCustomLabelPolicy(settings, options)
        : management.updateCustomLabelPolicy(settings, options),
    upload: (image, data) => management.uploadCustomLabelPolicyImage({ image, data }, options),
    remove(image) {
      switch (image) {
        case "logo":
          return management.removeCustomLabelPolicyLogo({}, options);
        case "logo-dark":
          return management.removeCustomLabelPolicyLogoDark({}, options);
        case "icon":
          return management.removeCustomLabelPolicyIcon({}, options);
        case "icon-dark":
          return management.removeCustomLabelPolicyIconDark({}, options);
        default:
          return image satisfies never;
      }
    },
    activate: () => management.activateCustomLabelPolicy({}, options),
    reset: () => management.resetLabelPolicyToDefault({}, options),
    async listPageTexts(language) {
      const response = await management.listCustomPageTexts({ language }, options);
      return { texts: response.result, json: toJson(ListCustomPageTextsResponseSchema, response) };
    },
    setPageText: (language, key, text) => management.setCustomPageTexts({ language, texts: [{ key, text }] }, options),
    resetPageTexts: (language) => management.resetCustomPageTextsToDefault({ language }, options),
    async listMessageTexts(language) {
      const response = await management.listCustomMessageTexts({ language }, options);
      return { texts: response.result, json: toJson(ListCustomMessageTextsResponseSchema, response) };
    },
    setMessageText: (message, texts) => management.setCustomMessageText({ ...message, ...texts }, options),
    resetMessageText: (message) => management.resetCustomMessageTextToDefault(message, options),
  };
}
