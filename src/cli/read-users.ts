import { toJson } from "@bufbuild/protobuf";
import { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";
import { UserState } from "../../gen/signet/v1/user_pb.js";
import { GetUserByIDResponseSchema, ListUsersResponseSchema } from "../../gen/signet/v1/user_read_pb.js";
import { UserFieldName, TypeQuery_Type as UserType } from "../../gen/signet/v1/user_search_pb.js";
import { inOrg } from "../moving/in-org.ts";
import { apiCommand, type JsonOptions, type OrgOptions } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { findNamedUser, type UserName } from "./named-user.ts";
import { print, printError } from "./print.ts";
import { toUserLines, toUserTable } from "./user-table.ts";

interface ListUsersOptions extends OrgOptions {
  readonly state?: keyof typeof STATES;
  readonly type?: keyof typeof TYPES;
  /** Part of a user name, display name or email address. */
  readonly search?: string;
  /** A phone number, or the beginning of one. */
  readonly phone?: string;
  readonly limit: number;
  /** From the previous page. */
  readonly pageToken?: string;
}

const STATES = {
  active: UserState.ACTIVE,
  inactive: UserState.INACTIVE,
  locked: UserState.LOCKED,
  initial: UserState.INITIAL,
};
const TYPES = { human: UserType.HUMAN, machine: UserType.MACHINE };

/** `signet user list`: one page of the users of an organization. With --json, the response of ListUsers. */
export const listUsersCommand = apiCommand(async (api, options: ListUsersOptions) => {
  const { limit, pageToken = "", json } = options;
  const request = {
    query: { asc: true, limit, pageToken },
    sortingColumn: UserFieldName.USER_NAME,
    queries: toQueries(options),
  };
  const response = await api.management.listUsers(request, inOrg(await findNamedOrg(api, options.org)));
  const { details, result } = response;
  print(json, toJson(ListUsersResponseSchema, response), toUserTable(result));
  const next = details?.nextPageToken;
  if (next && !json) printError(`${details.totalResult} users; the next page: --page-token ${next}`);
});

function toQueries({ state, type, search, phone }: ListUsersOptions) {
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE;
  const texts = [
    { query: { case: "userNameQuery" as const, value: { userName: search ?? "", method } } },
    { query: { case: "displayNameQuery" as const, value: { displayName: search ?? "", method } } },
    { query: { case: "emailQuery" as const, value: { emailAddress: search ?? "", method } } },
  ];
  return [
    ...(state === undefined ? [] : [{ query: { case: "stateQuery" as const, value: { state: STATES[state] } } }]),
    ...(type === undefined ? [] : [{ query: { case: "typeQuery" as const, value: { type: TYPES[type] } } }]),
    ...(phone === undefined
      ? []
      : [{ query: { case: "phoneQuery" as const, value: { phone, method: TextQueryMethod.STARTS_WITH } } }]),
    ...(search === undefined ? [] : [{ query: { case: "orQuery" as const, value: { queries: texts } } }]),
  ];
}

/** `signet user show`. With --json, the response of GetUserByID. */
export const showUserCommand = apiCommand(async (api, options: JsonOptions & UserName) => {
  const { id, orgId } = await findNamedUser(api, options);
  const response = await api.management.getUserByID({ id }, inOrg(orgId));
  const lines = response.user === undefined ? [] : toUserLines(response.user);
  print(options.json, toJson(GetUserByIDResponseSchema, response), lines);
});
