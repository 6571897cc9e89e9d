import type { JsonObject } from "@bufbuild/protobuf";
import type { Rpc } from "../../support/clients/callers.ts";
import type { ErrorReason } from "../../support/clients/errors.ts";
import { EMOJI } from "../../support/clients/requests.ts";

/** The initial state of a case: fields of the import, and columns that no call sets. */
export interface Start {
  readonly fields?: JsonObject;
  readonly columns?: { readonly state?: "inactive" | "locked" };
}

/** A call that makes a change. */
export interface ChangeCase extends Start {
  readonly title: string;
  readonly rpc: Rpc;
  /** Besides the user's id. */
  readonly request?: JsonObject;
  /** Types and payloads; a `codeId` that is a string is any. */
  readonly events: readonly (readonly [string, JsonObject])[];
  /** The columns that differ from before, besides sequence and time. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly messages?: readonly string[];
}

/** A call without a change: it returns the details of the last event, or fails. */
export interface UnchangedCase extends Start {
  readonly title: string;
  readonly rpc: Rpc;
  readonly request?: JsonObject;
  readonly reason?: ErrorReason;
  readonly metadata?: Readonly<Record<string, string>>;
}

const ENDING_RPCS: ReadonlySet<Rpc> = new Set([
  "DeactivateUser",
  "LockUser",
  "SetHumanPassword",
  "RemoveHumanLinkedIDP",
  "RemoveHumanPasswordless",
]);

/** The column changed by calls that end the user's sessions. */
export function sessionsEnded(rpc: Rpc, { sequence }: { readonly sequence: bigint }) {
  return ENDING_RPCS.has(rpc) ? { sessions_ended_sequence: sequence + 1n } : {};
}

const NUMBER = "+41791234567";
const CODE = { codeId: "any" };
const UNINITIALIZED: JsonObject = { email: { email: "ada@example.com" } };
const NO_PASSWORD: JsonObject = {
  email: { email: "ada@example.com", isEmailVerified: true },
  hashedPassword: null,
};
const PHONE: JsonObject = { phone: { phone: NUMBER } };
const VERIFIED_PHONE: JsonObject = { phone: { phone: NUMBER, isPhoneVerified: true } };
const PROFILE = { firstName: "Ada", lastName: "Lovelace" };
const STORED_PROFILE = {
  firstName: "Ada",
  lastName: "Lovelace",
  nickName: null,
  displayName: "Ada Lovelace",
  preferredLanguage: null,
  gender: 0,
};

export const CHANGES: readonly ChangeCase[] = [
  {
    title: "replaces every field of the profile",
    rpc: "UpdateHumanProfile",
    request: {
      firstName: " Augusta ",
      lastName: "King",
      nickName: "Ada",
      displayName: "Countess",
      preferredLanguage: "EN-gb",
      gender: "GENDER_FEMALE",
    },
    events: [
      [
        "user.human.profile.changed",
        {
          firstName: "Augusta",
          lastName: "King",
          nickName: "Ada",
          displayName: "Countess",
          preferredLanguage: "en-GB",
          gender: 1,
        },
      ],
    ],
    stored: {
      first_name: "Augusta",
      last_name: "King",
      nick_name: "Ada",
      display_name: "Countess",
      preferred_language: "en-GB",
      gender: 1,
    },
  },
  {
    title: "sets fields that are left out to their defaults",
    rpc: "UpdateHumanProfile",
    fields: {
      profile: {
        ...PROFILE,
        nickName: "Countess",
        displayName: "A. L.",
        preferredLanguage: "fr",
        gender: "GENDER_DIVERSE",
      },
    },
    request: PROFILE,
    events: [["user.human.profile.changed", STORED_PROFILE]],
    stored: { nick_name: null, display_name: "Ada Lovelace", preferred_language: null, gender: 0 },
  },
  {
    title: "stores a name, and the key by which it is compared",
    rpc: "UpdateUserName",
    request: { userName: " Augusta  É\u00a0" },
    events: [["user.username.changed", { userName: "Augusta  É" }]],
    stored: { user_name: "Augusta  É", user_name_key: "augusta é" },
  },
  {
    title: "stores a verified address without a message",
    rpc: "UpdateHumanEmail",
    request: { email: " new@example.com\u00a0", isEmailVerified: true },
    events: [
      ["user.human.email.changed", { email: "new@example.com" }],
      ["user.human.email.verified", { email: "new@example.com" }],
    ],
    stored: { email: "new@example.com" },
  },
  {
    title: "sends a verification email to an address that is not verified",
    rpc: "UpdateHumanEmail",
    request: { email: "new@example.com" },
    events: [
      ["user.human.email.changed", { email: "new@example.com" }],
      ["user.human.email.verification.requested", CODE],
    ],
    stored: { email: "new@example.com", email_verified: false },
    messages: ["email by email to new@example.com"],
  },
  {
    title: "un-verifies the stored address where the flag is false",
    rpc: "UpdateHumanEmail",
    request: { email: "ada@example.com", isEmailVerified: false },
    events: [
      ["user.human.email.changed", { email: "ada@example.com" }],
      ["user.human.email.verification.requested", CODE],
    ],
    stored: { email_verified: false },
    messages: ["email by email to ada@example.com"],
  },
  {
    title: "sends a new initialization email to a user who is not initialized",
    rpc: "UpdateHumanEmail",
    fields: UNINITIALIZED,
    request: { email: "new@example.com" },
    events: [
      ["user.human.email.changed", { email: "new@example.com" }],
      ["user.human.initialization.requested", CODE],
    ],
    stored: { email: "new@example.com" },
    messages: ["initialization by email to new@example.com"],
  },
  {
    title: "sends a new initialization email to the unverified address that is stored, with its event alone",
    rpc: "UpdateHumanEmail",
    fields: UNINITIALIZED,
    request: { email: "ada@example.com" },
    events: [["user.human.initialization.requested", CODE]],
    stored: {},
    messages: ["initialization by email to ada@example.com"],
  },
  {
    title: "finishes the initialization of a user with a password whose stored address is verified",
    rpc: "UpdateHumanEmail",
    fields: UNINITIALIZED,
    request: { email: "ada@example.com", isEmailVerified: true },
    events: [
      ["user.human.email.verified", { email: "ada@example.com" }],
      ["user.human.initialized", { codeId: null }],
    ],
    stored: { email_verified: true, initialized: true },
  },
  {
    title: "finishes the initialization of a user with a password whose address is verified",
    rpc: "UpdateHumanEmail",
    fields: UNINITIALIZED,
    request: { email: "new@example.com", isEmailVerified: true },
    events: [
      ["user.human.email.changed", { email: "new@example.com" }],
      ["user.human.email.verified", { email: "new@example.com" }],
      ["user.human.initialized", { codeId: null }],
    ],
    stored: { email: "new@example.com", email_verified: true, initialized: true },
  },
  {
    title: "sends a new initialization email to a user without a password whose address is verified",
    rpc: "UpdateHumanEmail",
    fields: NO_PASSWORD,
    request: { email: "new@example.com", isEmailVerified: true },
    events: [
      ["user.human.email.changed", { email: "new@example.com" }],
      ["user.human.email.verified", { email: "new@example.com" }],
      ["user.human.initialization.requested", CODE],
    ],
    stored: { email: "new@example.com" },
    messages: ["initialization by email to new@example.com"],
  },
  {
    title: "removes a verified number",
    rpc: "RemoveHumanPhone",
    fields: VERIFIED_PHONE,
    events: [["user.human.phone.removed", {}]],
    stored: { phone: null, phone_verified: false },
  },
  {
    title: "sends an initialization email to the stored address",
    rpc: "ResendHumanInitialization",
    fields: UNINITIALIZED,
    events: [["user.human.initialization.requested", CODE]],
    stored: {},
    messages: ["initialization by email to ada@example.com"],
  },
  {
    title: "sends an initialization email to a new address, which is not verified",
    rpc: "ResendHumanInitialization",
    fields: NO_PASSWORD,
    request: { email: "new@example.com" },
    events: [
      ["user.human.email.changed", { email: "new@example.com" }],
      ["user.human.initialization.requested", CODE],
    ],
    stored: { email: "new@example.com", email_verified: false },
    messages: ["initialization by email to new@example.com"],
  },
  {
    title: "keeps the address verified where the new one is the stored one",
    rpc: "ResendHumanInitialization",
    fields: NO_PASSWORD,
    request: { email: "ada@example.com" },
    events: [["user.human.initialization.requested", CODE]],
    stored: {},
    messages: ["initialization by email to ada@example.com"],
  },
  {
    title: "sends an SMS to the stored number",
    rpc: "ResendHumanPhoneVerification",
    fields: PHONE,
    events: [["user.human.phone.verification.requested", CODE]],
    stored: {},
    messages: [`phone by sms to ${NUMBER}`],
  },
  {
    title: "deactivates an active user",
    rpc: "DeactivateUser",
    events: [["user.deactivated", {}]],
    stored: { state: "inactive" },
  },
  {
    title: "deactivates a user who is not initialized",
    rpc: "DeactivateUser",
    fields: UNINITIALIZED,
    events: [["user.deactivated", {}]],
    stored: { state: "inactive" },
  },
  {
    title: "deactivates a locked user",
    rpc: "DeactivateUser",
    columns: { state: "locked" },
    events: [["user.deactivated", {}]],
    stored: { state: "inactive" },
  },
  {
    title: "reactivates a deactivated user",
    rpc: "ReactivateUser",
    columns: { state: "inactive" },
    events: [["user.reactivated", {}]],
    stored: { state: "active" },
  },
  { title: "locks an active user", rpc: "LockUser", events: [["user.locked", {}]], stored: { state: "locked" } },
  {
    title: "unlocks a locked user",
    rpc: "UnlockUser",
    columns: { state: "locked" },
    events: [["user.unlocked", {}]],
    stored: { state: "active" },
  },
];

const wrongState = (rpc: Rpc, title: string, start: Start, state: string): UnchangedCase => ({
  ...start,
  title,
  rpc,
  reason: "USER_STATE",
  metadata: { state: `USER_STATE_${state}` },
});

export const UNCHANGED: readonly UnchangedCase[] = [
  { title: "changes nothing with the stored profile", rpc: "UpdateHumanProfile", request: PROFILE },
  {
    title: "changes nothing with the stored profile in another spelling",
    rpc: "UpdateHumanProfile",
    fields: { profile: { ...PROFILE, preferredLanguage: "en-GB", nickName: "Ada" } },
    request: { ...PROFILE, firstName: " Ada ", preferredLanguage: "EN-gb", nickName: "Ada " },
  },
  {
    title: "changes nothing with the stored and verified address",
    rpc: "UpdateHumanEmail",
    request: { email: "ada@example.com", isEmailVerified: true },
  },
  {
    title: "changes nothing with the stored and verified address, and without the flag",
    rpc: "UpdateHumanEmail",
    request: { email: "ada@example.com" },
  },
  { title: "changes nothing for a user without a number", rpc: "RemoveHumanPhone" },
  wrongState("ResendHumanInitialization", "fails for a user who is initialized", {}, "ACTIVE"),
  wrongState(
    "ResendHumanInitialization",
    "fails for a deactivated user",
    { fields: UNINITIALIZED, columns: { state: "inactive" } },
    "INACTIVE",
  ),
  wrongState(
    "ResendHumanPhoneVerification",
    "fails for a locked user",
    { fields: PHONE, columns: { state: "locked" } },
    "LOCKED",
  ),
  { title: "fails without a number", rpc: "ResendHumanPhoneVerification", reason: "PHONE_NOT_FOUND" },
  {
    title: "fails for a verified number",
    rpc: "ResendHumanPhoneVerification",
    fields: VERIFIED_PHONE,
    reason: "PHONE_VERIFIED",
  },
  wrongState("DeactivateUser", "fails for a deactivated user", { columns: { state: "inactive" } }, "INACTIVE"),
  wrongState("ReactivateUser", "fails for an active user", {}, "ACTIVE"),
  wrongState("ReactivateUser", "fails for a user who is not initialized", { fields: UNINITIALIZED }, "INITIAL"),
  wrongState("ReactivateUser", "fails for a locked user", { columns: { state: "locked" } }, "LOCKED"),
  wrongState("LockUser", "fails for a locked user", { columns: { state: "locked" } }, "LOCKED"),
  wrongState("LockUser", "fails for a deactivated user", { columns: { state: "inactive" } }, "INACTIVE"),
  wrongState("UnlockUser", "fails for an active user", {}, "ACTIVE"),
  wrongState("UnlockUser", "fails for a deactivated user", { columns: { state: "inactive" } }, "INACTIVE"),
];

/** Requests that violate rules, with the fields named in the error. */
export const REJECTED: readonly { rpc: Rpc; title: string; request: JsonObject; fields: string[] }[] = [
  { rpc: "UpdateHumanProfile", title: "no names", request: {}, fields: ["firstName", "lastName"] },
  {
    rpc: "UpdateHumanProfile",
    title: "every field wrong at once",
    request: {
      firstName: EMOJI.repeat(201),
      lastName: "a\u202eb",
      nickName: "\u200b",
      displayName: "a\u0000b",
      preferredLanguage: "english",
      gender: 7,
    },
    fields: ["displayName", "firstName", "gender", "lastName", "nickName", "preferredLanguage"],
  },
  { rpc: "UpdateUserName", title: "no name", request: {}, fields: ["userName"] },
  {
    rpc: "UpdateUserName",
    title: "a name of 501 characters",
    request: { userName: EMOJI.repeat(501) },
    fields: ["userName"],
  },
  { rpc: "UpdateUserName", title: "an invisible character", request: { userName: "a\u200bb" }, fields: ["userName"] },
  { rpc: "UpdateHumanEmail", title: "no address", request: {}, fields: ["email"] },
  { rpc: "UpdateHumanEmail", title: "a malformed address", request: { email: "ada@" }, fields: ["email"] },
  {
    rpc: "UpdateHumanEmail",
    title: "an address of 255 bytes",
    request: { email: `${"a".repeat(64)}@${"b.".repeat(93)}comm` },
    fields: ["email"],
  },
  { rpc: "ResendHumanInitialization", title: "a malformed address", request: { email: "ada" }, fields: ["email"] },
];

/** The field of the user's id in the request. */
export function idFieldOf(rpc: Rpc): "id" | "userId" {
  return rpc.endsWith("User") ? "id" : "userId";
}
