import type { CallOptions } from "@connectrpc/connect";
import { type ImportHumanUserRequest, ImportHumanUserRequest_State } from "../../../gen/signet/v1/management_pb.js";
import { type Human, type User, UserState } from "../../../gen/signet/v1/user_pb.js";
import { PROFILE, PROFILE_FIELDS, type ProfileFields } from "../../database/profile.ts";
import { encodeBase64, encodeBase64Url } from "../../fields/bytes.ts";
import { isNoAddress } from "../../fields/no-address.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import type { MovingApi } from "../moving-api.ts";
import type { ReadMetadata } from "./stored-values.ts";

/**
 * Returns the fields in which a user differs from the request that would import the user. Values that the export does not have
 * are not compared, and neither are those that the API does not return: hashes, and secrets of one-time codes.
 */
export async function compareUser(
  api: MovingApi,
  user: User,
  request: ImportHumanUserRequest,
  options: CallOptions,
  readMetadata: ReadMetadata,
): Promise<string[]> {
  if (user.type.case !== "human") return ["type"];
  const differences = compareShown(user, user.type.value, request);
  for (const compare of [compareOneTimeCodes, comparePasskeys, compareLinks]) {
    differences.push(...(await compare(api, user.id, request, options)));
  }
  return [...differences, ...(await compareMetadata(request, readMetadata))];
}

type Compare = (
  api: MovingApi,
  userId: string,
  request: ImportHumanUserRequest,
  options: CallOptions,
) => Promise<string[]>;

/** Users who have set up one-time codes in the earlier system since the import would lose them. */
const compareOneTimeCodes: Compare = async (api, userId, { otpCode }, options) => {
  if (otpCode === "") return [];
  const { result } = await api.management.listHumanAuthFactors({ userId }, options);
  return result.length === 0 ? ["otpCode"] : [];
};

const comparePasskeys: Compare = async (api, userId, { passkeys }, options) => {
  if (passkeys.length === 0) return [];
  const { result } = await api.management.listHumanPasswordless({ userId }, options);
  const ids = new Set(result.map(({ id }) => id));
  const isMissing = passkeys.some(({ credentialId }) => !ids.has(encodeBase64Url(credentialId)));
  return isMissing ? ["passkeys"] : [];
};

const compareLinks: Compare = async (api, userId, { idps }, options) => {
  if (idps.length === 0) return [];
  const { result } = await api.management.listHumanLinkedIDPs({ userId, query: { limit: 1_000 } }, options);
  const links = new Set(
    result.flatMap(({ idpId, providedUserId }) => {
      // At Microsoft, the first sign-in adds the tenant to the id of an export.
      const [, objectId = providedUserId] = /^([0-9a-f-]{36})\.[0-9a-f-]{36}$/.exec(providedUserId) ?? [];
      return [`${idpId} ${providedUserId}`, `${idpId} ${objectId}`];
    }),
  );
  const isMissing = idps.some(
    ({ configId, externalUserId }) => !links.has(`${configId.toLowerCase()} ${externalUserId}`),
  );
  return isMissing ? ["idps"] : [];
};

/** The id in the source, which is always there, has identified the user. */
async function compareMetadata({ metadata }: ImportHumanUserRequest, readMetadata: ReadMetadata): Promise<string[]> {
  if (metadata.length <= 1) return [];
  const stored = await readMetadata();
  return metadata.flatMap(({ key, value }) => (stored.get(key) === encodeBase64(value) ? [] : [`metadata.${key}`]));
}

function trimmed(text: string | undefined): string | undefined {
  return text === undefined ? undefined : trimText(text);
}

/** Compares what ListUsers returns. */
function compareShown(user: User, human: Human, request: ImportHumanUserRequest): string[] {
  const { profile, email, phone } = request;
  const address = trimmed(email?.email) ?? "";
  const isInactive = request.state === ImportHumanUserRequest_State.INACTIVE;
  const pairs: [string, unknown, unknown][] = [
    ["userName", userNameKey(trimText(request.userName)), userNameKey(user.userName)],
    ...PROFILE_FIELDS.map((name): [string, unknown, unknown] => {
      const wanted = toCompared(name, profile?.[name]) || undefined;
      return [`profile.${name}`, wanted, toCompared(name, human.profile?.[name])];
    }),
    ["subject", request.subject || undefined, user.subject],
    ["email.email", isNoAddress(address) ? undefined : address, human.email?.email],
    // An address that has been verified since is no difference.
    ["email.isEmailVerified", email?.isEmailVerified || undefined, human.email?.isEmailVerified],
    ["phone.phone", phone?.phone, human.phone?.phone],
    ["phone.isPhoneVerified", phone?.isPhoneVerified || undefined, human.phone?.isPhoneVerified],
    ["hashedPassword", request.hashedPassword && true, human.passwordChanged !== undefined],
    ["state", isInactive, user.state === UserState.INACTIVE],
  ];
  return pairs.flatMap(([field, wanted, stored]) => (wanted === undefined || wanted === stored ? [] : [field]));
}

/** Names are stored without white space at their ends, and languages in their canonical form. */
function toCompared(name: keyof ProfileFields, value: string | number | undefined) {
  if (typeof value !== "string") return value;
  return PROFILE[name].rule === "language" ? value.toLowerCase() : trimText(value);
}
