import type { JsonObject } from "@bufbuild/protobuf";
import type { Rpc } from "../../support/clients/callers.ts";
import type { ErrorReason } from "../../support/clients/errors.ts";
import { EMOJI, PASSWORD } from "../../support/clients/requests.ts";

/** In texts, `$user` is the user's id, `$idp` that of a linked provider, and `$unknown` an unknown id. */
interface Case {
  readonly title: string;
  readonly rpc: Rpc;
  readonly request: JsonObject;
  /** Fields of the import, and columns that no call sets. */
  readonly fields?: JsonObject;
  readonly columns?: object;
}

export interface ChangeCase extends Case {
  /** Types and payloads; a `codeId` is any. */
  readonly events: readonly (readonly [string, JsonObject])[];
  /** The columns that differ from before, besides sequence and time. */
  readonly stored?: Readonly<Record<string, unknown>>;
  readonly messages?: readonly string[];
  /** The credential that is removed. */
  readonly removed?: string;
  readonly added?: string;
}

export interface RefusedCase extends Case {
  readonly reason: ErrorReason;
}

export interface RejectedCase extends Omit<Case, "fields"> {
  readonly fields: readonly string[];
}

const NUMBER = "+41791234567";
const VERIFIED_PHONE: JsonObject = { phone: { phone: NUMBER, isPhoneVerified: true } };
const UNVERIFIED: JsonObject = { email: { email: "ada@example.com" } };
const CHANGED = ["user.human.password.changed", {}] as const;
const REQUESTED = ["user.human.password.reset.requested", { codeId: "any" }] as const;
const REGISTERED = ["user.human.passwordless.registration.requested", { codeId: "any" }] as const;
const NEW_HASH = { password_hash: expect.stringMatching(/^\$2b\$/), password_changed_at: expect.any(Date) };

export const CHANGES: readonly ChangeCase[] = [
  {
    title: "sets a password that the user must change",
    rpc: "SetHumanPassword",
    request: { password: PASSWORD },
    events: [CHANGED],
    stored: { ...NEW_HASH, password_change_required: true },
  },
  {
    title: "sets a password that the user may keep",
    rpc: "SetHumanPassword",
    request: { password: PASSWORD, noChangeRequired: true },
    fields: { passwordChangeRequired: true },
    events: [CHANGED],
    stored: { ...NEW_HASH, password_change_required: false },
  },
  {
    title: "finishes the initialization of a user with a verified address",
    rpc: "SetHumanPassword",
    request: { password: "x" },
    columns: { password_hash: null, password_changed_at: null, initialized: false },
    events: [CHANGED, ["user.human.initialized", { codeId: null }]],
    stored: { ...NEW_HASH, password_change_required: true, initialized: true },
  },
  {
    title: "leaves the initialization of a user open whose address is not verified",
    rpc: "SetHumanPassword",
    request: { password: "é".repeat(36) },
    fields: UNVERIFIED,
    events: [CHANGED],
    stored: { ...NEW_HASH, password_change_required: true },
  },
  {
    title: "sets the password of a locked user",
    rpc: "SetHumanPassword",
    request: { password: PASSWORD },
    columns: { state: "locked" },
    events: [CHANGED],
    stored: { ...NEW_HASH, password_change_required: true },
  },
  {
    title: "sends an email to the verified address",
    rpc: "SendHumanResetPasswordNotification",
    request: {},
    events: [REQUESTED],
    messages: ["password by email to ada@example.com"],
  },
  {
    title: "sends an SMS to the verified number",
    rpc: "SendHumanResetPasswordNotification",
    request: { type: "TYPE_SMS" },
    fields: { ...UNVERIFIED, ...VERIFIED_PHONE },
    events: [REQUESTED],
    messages: [`password by sms to ${NUMBER}`],
  },
  {
    title: "returns a link",
    rpc: "AddPasswordlessRegistration",
    request: {},
    events: [REGISTERED],
  },
  {
    title: "removes one passkey",
    rpc: "RemoveHumanPasswordless",
    request: { tokenId: "$user-first" },
    events: [["user.human.passwordless.removed", { passkeyId: "$user-first" }]],
    removed: "passkey $user-first",
  },
  {
    title: "removes one link",
    rpc: "RemoveHumanLinkedIDP",
    request: { idpId: "$idp", linkedUserId: "$user-second" },
    events: [["user.human.idp.unlinked", { idpId: "$idp", externalUserId: "$user-second" }]],
    removed: "link $user-second",
  },
  {
    title: "adds a link",
    rpc: "AddHumanLinkedIDP",
    request: { idpId: "$idp", externalUserId: "$user-third", displayName: " Ada " },
    events: [["user.human.idp.linked", { idpId: "$idp", externalUserId: "$user-third", displayName: "Ada" }]],
    added: "link $user-third",
  },
  {
    title: "adds a link of a locked user without a name",
    rpc: "AddHumanLinkedIDP",
    request: { idpId: "$idp", externalUserId: "$user-FIRST" },
    columns: { state: "locked" },
    events: [["user.human.idp.linked", { idpId: "$idp", externalUserId: "$user-FIRST", displayName: "" }]],
    added: "link $user-FIRST",
  },
];

const INACTIVE = { state: "inactive" };

export const UNCHANGED: readonly RefusedCase[] = [
  {
    title: "fails for a user whose address is not verified",
    rpc: "SendHumanResetPasswordNotification",
    request: {},
    fields: { ...UNVERIFIED, ...VERIFIED_PHONE },
    reason: "RECIPIENT_NOT_VERIFIED",
  },
  {
    title: "fails for a user whose number is not verified",
    rpc: "SendHumanResetPasswordNotification",
    request: { type: "TYPE_SMS" },
    columns: { phone: NUMBER },
    reason: "RECIPIENT_NOT_VERIFIED",
  },
  {
    title: "fails for a user without a number",
    rpc: "SendHumanResetPasswordNotification",
    request: { type: "TYPE_SMS" },
    reason: "RECIPIENT_NOT_VERIFIED",
  },
  {
    title: "fails for a deactivated user",
    rpc: "SendHumanResetPasswordNotification",
    request: {},
    columns: INACTIVE,
    reason: "USER_STATE",
  },
  {
    title: "fails for a locked user",
    rpc: "SendHumanResetPasswordNotification",
    request: {},
    columns: { state: "locked" },
    reason: "USER_STATE",
  },
  {
    title: "fails for a deactivated user",
    rpc: "AddPasswordlessRegistration",
    request: {},
    columns: INACTIVE,
    reason: "USER_STATE",
  },
  {
    title: "fails for a passkey that the user does not have",
    rpc: "RemoveHumanPasswordless",
    request: { tokenId: "$user-third" },
    reason: "PASSKEY_NOT_FOUND",
  },
  {
    title: "fails for a link that the user does not have",
    rpc: "RemoveHumanLinkedIDP",
    request: { idpId: "$idp", linkedUserId: "$user-third" },
    reason: "IDP_LINK_NOT_FOUND",
  },
  {
    title: "fails for a link to another provider",
    rpc: "RemoveHumanLinkedIDP",
    request: { idpId: "$unknown", linkedUserId: "$user-first" },
    reason: "IDP_LINK_NOT_FOUND",
  },
  {
    title: "fails for a provider whose id is no id",
    rpc: "RemoveHumanLinkedIDP",
    request: { idpId: "corp", linkedUserId: "$user-first" },
    reason: "IDP_LINK_NOT_FOUND",
  },
  {
    title: "fails for a link that the user has already",
    rpc: "AddHumanLinkedIDP",
    request: { idpId: "$idp", externalUserId: "$user-first" },
    reason: "IDP_LINK_TAKEN",
  },
  {
    title: "fails for an unknown provider",
    rpc: "AddHumanLinkedIDP",
    request: { idpId: "$unknown", externalUserId: "$user-third" },
    reason: "IDP_NOT_FOUND",
  },
  {
    title: "fails for a provider whose id is no id",
    rpc: "AddHumanLinkedIDP",
    request: { idpId: "corp", externalUserId: "$user-third" },
    reason: "IDP_NOT_FOUND",
  },
];

export const REJECTED: readonly RejectedCase[] = [
  { title: "an empty password", rpc: "SetHumanPassword", request: {}, fields: ["password"] },
  {
    title: "a password of 73 bytes",
    rpc: "SetHumanPassword",
    request: { password: `${"é".repeat(36)}x` },
    fields: ["password"],
  },
  { title: "U+0000", rpc: "SetHumanPassword", request: { password: "a\0b" }, fields: ["password"] },
  {
    title: "all invalid fields at once",
    rpc: "SetHumanPassword",
    request: { userId: EMOJI.repeat(201), password: "" },
    fields: ["password", "userId"],
  },
  { title: "an unknown type", rpc: "SendHumanResetPasswordNotification", request: { type: 7 }, fields: ["type"] },
  { title: "a long id", rpc: "AddPasswordlessRegistration", request: { userId: "x".repeat(201) }, fields: ["userId"] },
  {
    title: "a long id of a passkey",
    rpc: "RemoveHumanPasswordless",
    request: { tokenId: "x".repeat(1_365) },
    fields: ["tokenId"],
  },
  {
    title: "long ids",
    rpc: "RemoveHumanLinkedIDP",
    request: { idpId: "x".repeat(201), linkedUserId: "x".repeat(201) },
    fields: ["idpId", "linkedUserId"],
  },
  {
    title: "all invalid fields at once",
    rpc: "AddHumanLinkedIDP",
    request: { idpId: "", externalUserId: "x".repeat(201), displayName: "A\u202eda" },
    fields: ["displayName", "externalUserId", "idpId"],
  },
  {
    title: "U+0000",
    rpc: "AddHumanLinkedIDP",
    request: { idpId: "$idp", externalUserId: "a\0b" },
    fields: ["externalUserId"],
  },
];
