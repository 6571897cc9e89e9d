import { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";
import type { User } from "../../gen/signet/v1/user_pb.js";
import { ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import { trimText } from "../fields/trim-text.ts";
import { userNameKey } from "../fields/user-name.ts";
import { inOrg } from "../moving/in-org.ts";
import type { Api } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { UsageError } from "./usage-error.ts";
import { toUserTable } from "./user-table.ts";

/** How the command line names a user. */
export interface UserName {
  /** Id, user name or verified email address. */
  readonly user: string;
  /** Id or name of the user's organization; undefined for that of the token, or the default one of the database. */
  readonly org?: string | undefined;
}

interface NamedUser {
  readonly id: string;
  readonly orgId: string | undefined;
  /** The user in questions and results. */
  readonly label: string;
}

/**
 * Finds a user by id, without a call, or by user name or verified email address, with one search.
 *
 * @throws UsageError with the candidates if there are several; ConfigError if there is none.
 */
export async function findNamedUser(api: Api, { user: text, org }: UserName): Promise<NamedUser> {
  const name = trimText(text);
  const orgId = await findNamedOrg(api, org);
  if (isId(name)) return { id: name, orgId: orgId ?? (await api.findOwner("user", name)), label: name };
  const users = await findUsers(api, name, orgId);
  const [user] = users;
  if (user === undefined) throw new ConfigError(`no user has the id, user name or verified address "${name}"`);
  if (users.length > 1) {
    throw new UsageError(`"${name}" names several users; use the id of one:`, toUserTable(users));
  }
  return { id: user.id, orgId, label: `${user.userName} (${user.id})` };
}

async function findUsers(api: Api, name: string, orgId: string | undefined): Promise<User[]> {
  const method = TextQueryMethod.EQUALS_IGNORE_CASE;
  const queries = [
    { query: { case: "userNameQuery" as const, value: { userName: name, method } } },
    ...(name.length > LONGEST_EMAIL
      ? []
      : [{ query: { case: "emailQuery" as const, value: { emailAddress: name, method } } }]),
  ];
  const search = { queries: [{ query: { case: "orQuery" as const, value: { queries } } }] };
  const { result } = await api.management.listUsers(search, inOrg(orgId));
  // The search does not tell whether an address is verified.
  return result.filter(
    ({ userName, type }) =>
      userNameKey(userName) === userNameKey(name) ||
      (type.case === "human" && type.value.email?.isEmailVerified === true),
  );
}

/** No address is longer, and the search rejects a longer text. */
const LONGEST_EMAIL = 254;
