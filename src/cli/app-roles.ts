import { type MessageInitShape, toJson } from "@bufbuild/protobuf";
import {
  ListUserAppRolesResponseSchema,
  type UserAppRole,
  type UserAppRoleQuerySchema,
} from "../../gen/signet/v1/app_role_pb.js";
import type { Config } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import { type Api, apiCommand, type JsonOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { findNamedUser, type UserName } from "./named-user.ts";
import { print, toTable } from "./print.ts";
import { toTime } from "./user-table.ts";

interface ListOptions extends JsonOptions, Partial<UserName> {
  /** The client id. */
  readonly appId?: string;
  readonly role?: string;
}

interface ChangeOptions extends JsonOptions, UserName {
  /** The client id. */
  readonly appId: string;
  readonly role: readonly string[];
}

/** `signet app roles list`: at most 1,000, as in the response of ListUserAppRoles. */
export const listAppRolesCommand = apiCommand(async (api, options: ListOptions) => {
  const { appId, user, role } = options;
  const named = user === undefined ? undefined : await findNamedUser(api, { user, org: await findOrg(api, options) });
  const queries: MessageInitShape<typeof UserAppRoleQuerySchema>[] = [
    ...(appId === undefined ? [] : [{ query: { case: "appIdQuery", value: { appId } } } as const]),
    ...(named === undefined ? [] : [{ query: { case: "userIdQuery", value: { userId: named.id } } } as const]),
    ...(role === undefined ? [] : [{ query: { case: "roleQuery", value: { role } } } as const]),
  ];
  const request = { query: { asc: true, limit: 1_000 }, queries };
  const orgId = named?.orgId ?? (await findOrg(api, options));
  const response = await api.management.listUserAppRoles(request, inOrg(orgId));
  print(options.json, toJson(ListUserAppRolesResponseSchema, response), toRoleTable(response.result));
});

const RESULTS = { add: "% has", remove: "% does not have" };

/** `signet app roles add` and `signet app roles remove`. */
export async function changeAppRolesCommand(
  configuration: () => Config,
  name: keyof typeof RESULTS,
  options: ChangeOptions,
): Promise<void> {
  const { appId, role: roles } = options;
  await withApi(configuration, options, async (api) => {
    const { id: userId, orgId, label } = await findNamedUser(api, { ...options, org: await findOrg(api, options) });
    const request = { userId, appId, roles: [...roles] };
    const { details } =
      name === "add"
        ? await api.management.addUserAppRoles(request, inOrg(orgId))
        : await api.management.removeUserAppRoles(request, inOrg(orgId));
    const result = `${RESULTS[name].replace("%", () => label)} ${roles.join(", ")}`;
    print(options.json, { id: userId, orgId: details?.resourceOwner, appId, roles }, [result]);
  });
}

/** The named organization or, on the database, that of the application. */
async function findOrg(api: Api, { org, appId }: Pick<ListOptions, "org" | "appId">): Promise<string | undefined> {
  const orgId = await findNamedOrg(api, org);
  return orgId ?? (appId === undefined ? undefined : await api.findOwner("app", appId));
}

function toRoleTable(roles: readonly UserAppRole[]): string[] {
  const rows = roles.map(({ appId, userId, role, details }) => [appId, userId, role, toTime(details?.creationDate)]);
  return toTable(["CLIENT ID", "USER", "ROLE", "SINCE"], rows);
}
