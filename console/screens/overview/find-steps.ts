import { EmailRoute } from "../../../gen/signet/v1/instance_pb.js";
import type { Member } from "../../../gen/signet/v1/member_pb.js";
import { TypeQuery_Type } from "../../../gen/signet/v1/user_search_pb.js";
import { toPath } from "../../state/paths.ts";
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

/** Finds what is already done, as far as the person may see it. */
export async function findSteps(
  { apiOf, instance }: Session,
  orgId: string,
  permissions: Permissions,
  signal: AbortSignal,
): Promise<readonly Step[]> {
  const api = apiOf(orgId);
  const one = { query: { limit: 1 } };
  const hasSome = (list: { details?: { totalResult: bigint } | undefined }, more = 0n) =>
    (list.details?.totalResult ?? 0n) > more;
  const people = { query: { case: "typeQuery" as const, value: { type: TypeQuery_Type.HUMAN } } };
  const steps: Promise<Step | undefined>[] = [
    offer(instance.can("iam.read"), async () => ({
      name: "email",
      isDone: (await api.admin.getInstanceInfo({}, { signal })).emailRoute === EmailRoute.SMTP,
      href: toPath({ page: "instance" }),
    })),
    offer(instance.can("iam.member.read"), async () => ({
      name: "owner",
      isDone: hasTwo((await api.admin.listIAMMembers(MEMBERS, { signal })).result, "INSTANCE_OWNER"),
      href: toPath({ page: "instanceMembers" }),
    })),
    offer(!instance.can("iam.member.read") && permissions.can("org.member.read"), async () => ({
      name: "owner",
      isDone: hasTwo((await api.management.listOrgMembers(MEMBERS, { signal })).result, "ORG_OWNER"),
      href: toPath({ page: "org", orgId }),
    })),
    offer(permissions.can("user.read"), async () => ({
      name: "users",
      isDone: hasSome(await api.management.listUsers({ ...one, queries: [people] }, { signal }), 1n),
      href: toPath({ page: "users", orgId }),
    })),
    offer(permissions.can("org.app.read"), async () => ({
      name: "app",
      isDone: hasSome(await api.management.listApps(one, { signal })),
      href: toPath({ page: "apps", orgId }),
    })),
    offer(permissions.can("org.idp.read"), async () => ({
      name: "provider",
      isDone: hasSome(await api.management.listOrgIDPs(one, { signal })),
      href: toPath({ page: "idps", orgId }),
    })),
  ];
  return (await Promise.all(steps)).filter((step) => step !== undefined);
}

async function offer(isOffered: boolean, find: () => Promise<Step>): Promise<Step | undefined> {
  return isOffered ? await find() : undefined;
}

/** Whether two people have the role, so that one of them can be absent. */
function hasTwo(found: readonly Member[], role: string): boolean {
  const owners = found.filter(({ roles, userType }) => roles.includes(role) && userType === TypeQuery_Type.HUMAN);
  return owners.length > 1;
}
