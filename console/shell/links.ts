import type { Permissions } from "../state/permissions.ts";
import type { InstancePage, OrgPage, Route } from "../state/routes.ts";

interface PageLink<Page> {
  readonly page: Page;
  /** Follows the key `g`. */
  readonly key: string;
  readonly permission: string;
  /** Other pages that belong to it. */
  readonly also?: readonly Route["page"][];
}

/** The navigation within an organization. */
export const ORG_LINKS: readonly PageLink<OrgPage>[] = [
  { page: "overview", key: "h", permission: "org.read" },
  { page: "users", key: "u", permission: "user.read", also: ["user", "import"] },
  { page: "messages", key: "m", permission: "user.read" },
  { page: "audit", key: "e", permission: "user.read" },
  { page: "apps", key: "a", permission: "org.app.read", also: ["app"] },
  { page: "apis", key: "t", permission: "org.app.read", also: ["api"] },
  { page: "idps", key: "i", permission: "org.idp.read", also: ["idp"] },
  { page: "signInPage", key: "p", permission: "policy.read" },
  { page: "webhooks", key: "w", permission: "org.hook.read", also: ["webhook"] },
  { page: "org", key: "s", permission: "org.read" },
];

/** The navigation for people with a role in the instance. */
export const INSTANCE_LINKS: readonly PageLink<InstancePage>[] = [
  { page: "orgs", key: "o", permission: "iam.read" },
  { page: "instanceMembers", key: "r", permission: "iam.member.read" },
  { page: "instanceIdps", key: "d", permission: "iam.idp.read", also: ["instanceIdp"] },
  { page: "instanceSignInPage", key: "b", permission: "iam.policy.read" },
  { page: "instance", key: "n", permission: "iam.read", also: ["instanceAudit"] },
];

/** The links that a person may follow. */
export function offeredLinks(orgId: string, permissions: Permissions) {
  const isAllowed = ({ permission }: { readonly permission: string }) => permissions.can(permission);
  return {
    org: ORG_LINKS.filter(isAllowed).map((link) => ({ ...link, to: { page: link.page, orgId } as Route })),
    instance: INSTANCE_LINKS.filter(isAllowed).map((link) => ({ ...link, to: { page: link.page } as Route })),
  };
}
