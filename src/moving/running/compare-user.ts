import type { CallOptions } from "@connectrpc/connect";
import { type ImportHumanUserRequest, ImportHumanUserRequest_State } from "../../../gen/signet/v1/management_pb.js";
import { type Human, type User, UserState } from "../../../gen/signet/v1/user_pb.js";
import { userNameKey } from "../../fields/user-name.ts";
import type { MovingApi } from "../target.ts";

/**
 * Returns the fields in which a user differs from the request that would import the user. Values that the export does not have
 * are not compared, and neither are those that the API does not return: a hash, a secret of one-time codes.
 */
export async function compareUser(
  { management }: MovingApi,
  user: User,
  request: ImportHumanUserRequest,
  options: CallOptions,
): Promise<string[]> {
  if (user.type.case !== "human") return ["type"];
  const differences = compareShown(user, user.type.value, request);
  const { id } = user;
  if (request.idps.length > 0) {
    const { result } = await management.listHumanLinkedIDPs({ userId: id, query: { limit: 1_000 } }, options);
    const links = new Set(result.map(({ idpId, providedUserId }) => `${idpId} ${providedUserId}`));
    const isMissing = ({ configId, externalUserId }: ImportHumanUserRequest["idps"][number]) =>
      !links.has(`${configId.toLowerCase()} ${externalUserId}`);
    if (request.idps.some(isMissing)) differences.push("idps");
  }
  if (request.metadata.length > 1) {
    const { result } = await management.listUserMetadata({ id, query: { limit: 1_000 } }, options);
    const stored = new Map(result.map(({ key, value }) => [key, Buffer.from(value)]));
    for (const { key, value } of request.metadata) {
      if (stored.get(key)?.equals(value) !== true) differences.push(`metadata.${key}`);
    }
  }
  return differences;
}

/** Compares what ListUsers returns. */
function compareShown(user: User, human: Human, request: ImportHumanUserRequest): string[] {
  const { profile, email, phone } = request;
  const isInactive = request.state === ImportHumanUserRequest_State.INACTIVE;
  const pairs: [string, unknown, unknown][] = [
    ["userName", userNameKey(request.userName.trim()), userNameKey(user.userName)],
    ["profile.firstName", profile?.firstName.trim(), human.profile?.firstName],
    ["profile.lastName", profile?.lastName.trim(), human.profile?.lastName],
    ["profile.nickName", profile?.nickName.trim() || undefined, human.profile?.nickName],
    ["profile.displayName", profile?.displayName.trim() || undefined, human.profile?.displayName],
    [
      "profile.preferredLanguage",
      profile?.preferredLanguage.toLowerCase() || undefined,
      human.profile?.preferredLanguage.toLowerCase(),
    ],
    ["profile.gender", profile?.gender || undefined, human.profile?.gender],
    ["subject", request.subject || undefined, user.subject],
    ["email.email", email?.email.trim(), human.email?.email],
    // An address that has been verified since is no difference.
    ["email.isEmailVerified", email?.isEmailVerified || undefined, human.email?.isEmailVerified],
    ["phone.phone", phone?.phone, human.phone?.phone],
    ["phone.isPhoneVerified", phone?.isPhoneVerified || undefined, human.phone?.isPhoneVerified],
    ["hashedPassword", request.hashedPassword && true, human.passwordChanged !== undefined],
    ["state", isInactive, user.state === UserState.INACTIVE],
  ];
  return pairs.flatMap(([field, wanted, stored]) => (wanted === undefined || wanted === stored ? [] : [field]));
}
