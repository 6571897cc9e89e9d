import { EmailRoute } from "../../../gen/signet/v1/instance_pb.js";
import type { Member } from "../../../gen/signet/v1/member_pb.js";
import { TypeQuery_Type } from "../../../gen/signet/v1/user_search_pb.js";
import { type Route, toPath } from "../../state/paths.ts";
import type { Permissions } from "../../state/permissions.ts";
import type { Session } from "../../state/session.ts";

type StepName = "email" | "owner" | "provider" | "app" | "users";

/** Something to do first. */
export interface Step {
  readonly name: StepName;
  readonly isDone: boolean;
  /** Where it is done. */
  readonly href: string;
}

/** Enough to find a second owner. */
const MEMBERS = { query: { asc: true, limit: 100 } };

type Rule = readonly [name: StepName, isOffered: boolean, place: Route, isDone: () => Promise<boolean>];

/** Finds what is already done, as far as the person may see it. */
export async function findSteps(
  { apiOf, instance }: Session,
  orgId: string,
  permissions: Permissions,
  signal: AbortSignal,
): Promise<readonly Step[]> {
  const api = apiOf(orgId);
  const { management } = api;
  const one = { query: { limit: 1 } };
  const hasSome = (list: { details?: { totalResult: bigint } | undefined }, more = 0n) =>
    (list.details?.totalResult ?? 0n) > more;
  const people = { query: { case: "typeQuery" as const, value: { type: TypeQuery_Type.HUMAN } } };
  const seesMembers = instance.can("iam.member.read");
  const sendsEmails = async () => (await api.admin.getInstanceInfo({}, { signal })).emailRoute === EmailRoute.SMTP;
  const hasOwners = async () => hasTwo((await api.admin.listIAMMembers(MEMBERS, { signal })).result, "INSTANCE_OWNER");
  const hasOrgOwners = async () => hasTwo((await management.listOrgMembers(MEMBERS, { signal })).result, "ORG_OWNER");
  const hasUsers = async () => hasSome(await management.listUsers({ ...one, queries: [people] }, { signal }), 1n);
  const hasApps = async () => hasSome(await management.listApps(one, { signal }));
  const hasProviders = async () => hasSome(await management.listOrgIDPs(one, { signal }));
  const rules: readonly Rule[] = [
    ["email", instance.can("iam.read"), { page: "instance" }, sendsEmails],
    ["owner", seesMembers, { page: "instanceMembers" }, hasOwners],
    ["owner", !seesMembers && permissions.can("org.member.read"), { page: "org", orgId }, hasOrgOwners],
    ["users", permissions.can("user.read"), { page: "users", orgId }, hasUsers],
    ["app", permissions.can("org.app.read"), { page: "apps", orgId }, hasApps],
    ["provider", permissions.can("org.idp.read"), { page: "idps", orgId }, hasProviders],
  ];
  const offered = rules.filter(([, isOffered]) => isOffered);
  return Promise.all(
    offered.map(async ([name, , place, isDone]) => ({ name, isDone: await isDone(), href: toPath(place) })),
  );
}

/** Whether two people have the role, so that one of them can be absent. */
function hasTwo(found: readonly Member[], role: string): boolean {
  const owners = found.filter(({ roles, userType }) => roles.includes(role) && userType === TypeQuery_Type.HUMAN);
  return owners.length > 1;
}
