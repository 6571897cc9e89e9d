import type { DescMessage } from "@bufbuild/protobuf";
import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import {
  SendHumanResetPasswordNotificationRequest_Type as Channel,
  type SendHumanResetPasswordNotificationRequest,
} from "../../../gen/signet/v1/user_credential_pb.js";
import type { ListHumanLinkedIDPsRequest, ListUsersRequest } from "../../../gen/signet/v1/user_read_pb.js";
import { UserFieldName } from "../../../gen/signet/v1/user_search_pb.js";
import type { ListUserSessionsRequest } from "../../../gen/signet/v1/user_session_pb.js";
import type { Config } from "../../config.ts";
import type { Problems } from "../../errors.ts";
import { checkImportedPasskeys } from "../../passkeys/check-imported-passkeys.ts";
import { checkImportHumanUser, type HumanToImport } from "../../users/import/check-import-human-user.ts";
import { LINK_ORDER, type LinkSearch } from "../../users/read/list-human-linked-idps.ts";
import { SESSION_ORDER, type SessionSearch } from "../../users/read/list-user-sessions.ts";
import type { UserSearch } from "../../users/read/list-users.ts";
import { orderOfUsers, type UserSortKey } from "../../users/read/user-columns.ts";
import { toListQuery } from "./list-query.ts";
import { toUserConditions } from "./user-conditions.ts";

/** Returns the check of `importHumanUser`, for a service with this relying party id of passkeys. */
export function toHumanToImport(service: { readonly config: Pick<Config, "webauthnRpId"> }) {
  return (request: ImportHumanUserRequest, problems: Problems): HumanToImport => ({
    ...checkImportHumanUser(request, problems),
    passkeys: checkImportedPasskeys(request.passkeys, service.config.webauthnRpId, problems),
  });
}

/** The fields for `sendPasswordReset`. The default channel is email. */
export function toPasswordReset({ userId, type }: SendHumanResetPasswordNotificationRequest) {
  return { userId, channel: type === Channel.SMS ? "sms" : "email" } as const;
}

/** The fields for `listUsers`. The schema rejects unknown sort keys. */
export function toUserSearch(request: ListUsersRequest, problems: Problems, schema: DescMessage): UserSearch {
  const sortKey = SORT_KEYS[request.sortingColumn] ?? "creation";
  return {
    page: toListQuery(schema, request, orderOfUsers(sortKey), problems),
    sortKey,
    conditions: toUserConditions(request.queries, "queries", problems),
  };
}

const SORT_KEYS: Readonly<Record<UserFieldName, UserSortKey>> = {
  [UserFieldName.UNSPECIFIED]: "creation",
  [UserFieldName.USER_NAME]: "userName",
  [UserFieldName.FIRST_NAME]: "firstName",
  [UserFieldName.LAST_NAME]: "lastName",
  [UserFieldName.NICK_NAME]: "nickName",
  [UserFieldName.DISPLAY_NAME]: "displayName",
  [UserFieldName.EMAIL]: "email",
  [UserFieldName.STATE]: "state",
  [UserFieldName.TYPE]: "type",
  [UserFieldName.CREATION_DATE]: "creation",
  [UserFieldName.LAST_SIGN_IN]: "lastSignIn",
};

/** The fields for `listUserSessions`. */
export function toSessionSearch(
  request: ListUserSessionsRequest,
  problems: Problems,
  schema: DescMessage,
): SessionSearch {
  return { userId: request.userId, page: toListQuery(schema, request, SESSION_ORDER, problems) };
}

/** The fields for `listHumanLinkedIdps`. */
export function toLinkSearch(request: ListHumanLinkedIDPsRequest, problems: Problems, schema: DescMessage): LinkSearch {
  return { userId: request.userId, page: toListQuery(schema, request, LINK_ORDER, problems) };
}
