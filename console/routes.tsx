import type { ComponentChildren } from "preact";
import { lazy } from "./parts/lazy.tsx";
import { Home, OverviewPage } from "./screens/overview/overview-page.tsx";
import { UsersPage } from "./screens/users/users-page.tsx";
import { texts } from "./state/language.ts";
import { type Ids, type Page, type Route, toPath } from "./state/paths.ts";
import type { Permissions } from "./state/permissions.ts";
import { namesOf } from "./state/tables.ts";
import type { Texts } from "./texts/en/en.ts";

type Screen<Props> = (props: Props) => ComponentChildren;

/** What a page shows, and how people get there. */
interface RouteRule<Name extends Page> {
  readonly screen: Screen<Ids<Name>>;
  /** In place of the screen, for an object that is being added. */
  readonly newScreen?: Screen<Ids<Name>>;
  /** The page in the navigation that it belongs to. */
  readonly within?: Page;
  readonly link?: Name extends keyof Texts["shell"]["pages"] ? LinkRule : never;
}

type Group = "" | keyof Texts["shell"]["groups"];

/** A page in the navigation. The texts have its title. */
interface LinkRule {
  /** Follows the key `g`. */
  readonly key: string;
  readonly permission: string;
  /** The group in the navigation; empty for those above all groups. */
  readonly group: Group;
}

const apps = () => import("./screens/apps/apps.tsx");
const apis = () => import("./screens/apis/apis.tsx");
const idps = () => import("./screens/idps/idps.tsx");
const scim = () => import("./screens/scim/scim.tsx");
const webhooks = () => import("./screens/webhooks/webhooks.tsx");
const audit = () => import("./screens/audit/audit-page.tsx");
const signIn = () => import("./screens/sign-in/sign-in-page.tsx");
const instance = () => import("./screens/instance/instance-screen.tsx");
const members = () => import("./screens/members/members.tsx");
const orgs = () => import("./screens/orgs/orgs.tsx");
const user = () => import("./screens/user/user-page.tsx");
const importing = () => import("./screens/import/import-page.tsx");
const messages = () => import("./screens/messages/messages-page.tsx");

const IdpPage = lazy(idps, "IdpPage");
const IdpsPage = lazy(idps, "IdpsPage");
const NewIdpPage = lazy(idps, "NewIdpPage");
const AuditPage = lazy(audit, "AuditPage");
const SignInPage = lazy(signIn, "SignInPage");

/** Every page of the console, in the order of the navigation. Screens that few people need are loaded when they are shown. */
export const ROUTES: { readonly [Name in Page]: RouteRule<Name> } = {
  home: { screen: Home },
  overview: { screen: OverviewPage, link: { key: "h", permission: "org.read", group: "" } },
  users: { screen: UsersPage, link: { key: "u", permission: "user.read", group: "people" } },
  user: { screen: lazy(user, "UserPage"), within: "users" },
  import: { screen: lazy(importing, "ImportPage"), within: "users" },
  messages: { screen: lazy(messages, "MessagesPage"), link: { key: "m", permission: "user.read", group: "people" } },
  audit: { screen: AuditPage, link: { key: "e", permission: "user.read", group: "org" } },
  apps: { screen: lazy(apps, "AppsPage"), link: { key: "a", permission: "org.app.read", group: "apps" } },
  app: { screen: lazy(apps, "AppPage"), newScreen: lazy(apps, "NewAppPage"), within: "apps" },
  apis: { screen: lazy(apis, "ApisPage"), link: { key: "t", permission: "org.app.read", group: "apps" } },
  api: { screen: lazy(apis, "ApiPage"), newScreen: lazy(apis, "NewApiPage"), within: "apis" },
  idps: { screen: IdpsPage, link: { key: "i", permission: "org.idp.read", group: "signIn" } },
  idp: { screen: IdpPage, newScreen: NewIdpPage, within: "idps" },
  scim: { screen: lazy(scim, "ScimPage"), link: { key: "c", permission: "org.scim.read", group: "signIn" } },
  scimConnection: {
    ...{ screen: lazy(scim, "ScimConnectionPage"), newScreen: lazy(scim, "NewScimConnectionPage") },
    within: "scim",
  },
  signInPage: { screen: SignInPage, link: { key: "p", permission: "policy.read", group: "signIn" } },
  webhooks: { screen: lazy(webhooks, "WebhooksPage"), link: { key: "w", permission: "org.hook.read", group: "apps" } },
  webhook: { screen: lazy(webhooks, "WebhookPage"), newScreen: lazy(webhooks, "NewWebhookPage"), within: "webhooks" },
  org: { screen: lazy(orgs, "OrgScreen"), link: { key: "s", permission: "org.read", group: "org" } },
  orgs: { screen: lazy(orgs, "OrgsPage"), link: { key: "o", permission: "iam.read", group: "" } },
  instanceMembers: {
    screen: lazy(members, "InstanceMembersPage"),
    link: { key: "r", permission: "iam.member.read", group: "" },
  },
  instanceIdps: { screen: IdpsPage, link: { key: "d", permission: "iam.idp.read", group: "signIn" } },
  instanceIdp: { screen: IdpPage, newScreen: NewIdpPage, within: "instanceIdps" },
  instanceSignInPage: { screen: SignInPage, link: { key: "b", permission: "iam.policy.read", group: "signIn" } },
  instance: { screen: lazy(instance, "InstanceScreen"), link: { key: "n", permission: "iam.read", group: "service" } },
  instanceAudit: { screen: AuditPage, within: "instance" },
};

const IDP_ICON = "M8 11.5a4 4 0 1 0-3.4-3.9M8 11.5l1.5-1 7 7M13 14l1.500-1.500M6 7.500h.010";
const SIGN_IN_ICON = "M3 3.5h14v13H3zM3 7h14M6.500 10.500h7M6.500 13.500h4";

/** The pages that have a title, but no place in the navigation. */
type Unlisted = "import" | "instanceAudit";

/** Drawn in a square of 20. */
const ICONS: Readonly<Record<Exclude<keyof Texts["shell"]["pages"], Unlisted>, string>> = {
  overview: "M3.5 9 10 3.5 16.5 9v7.5h-4.5v-5h-4v5H3.5z",
  users:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5M13 3.8a3 3 0 0 1 0 5.4M15 12.4c1.9.6 3 2 3 4.1",
  messages: "M3 5h14v10H3zM3 5.5l7 5.5 7-5.5",
  audit: "M2.5 10h3l2-5.5 4 11 2.5-5.5h3.5",
  apps: "M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM14 11.5v5M11.5 14h5",
  apis: "M7 5 2.5 10 7 15M13 5l4.5 5-4.5 5M11 3.5l-2 13",
  idps: IDP_ICON,
  scim: "M4 8.500a6 6 0 0 1 11.500-1M16 3.500v4h-4M16 11.500a6 6 0 0 1-11.500 1M4 16.500v-4h4",
  signInPage: SIGN_IN_ICON,
  webhooks:
    "M10 3.500a3 3 0 0 1 1.500 5.600l2.500 4.400M8.500 8.500 6 13M4 12.500a3 3 0 1 0 3.500 3H14M16 13a3 3 0 1 1-3 4.500",
  org: "M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  orgs: "M3.5 16.5v-13h8v13M11.5 8h5v8.5M2 16.5h16M6 7h3M6 10h3M6 13h3",
  instanceMembers: "M10 2.5 16.5 5v4.5c0 4-2.7 6.8-6.5 8-3.8-1.2-6.5-4-6.5-8V5zM7 9.8l2.2 2.2L13 8",
  instanceIdps: IDP_ICON,
  instanceSignInPage: SIGN_IN_ICON,
  instance: "M3 3.5h14v5H3zM3 11.5h14v5H3zM6 6h.010M6 14h.010",
};

/** A page that a person may see. */
export interface PageLink extends LinkRule {
  readonly page: Page;
  readonly path: string;
  readonly title: string;
  readonly icon: string;
}

/** The navigation: the pages of an organization, and those of the instance. */
export function offeredLinks(orgId: string, permissions: Permissions) {
  const titles: Readonly<Partial<Record<Page, string>>> = texts.value.shell.pages;
  const icons: Readonly<Partial<Record<Page, string>>> = ICONS;
  const links = namesOf(ROUTES).flatMap((page): PageLink[] => {
    const link: LinkRule | undefined = ROUTES[page].link;
    if (link === undefined || !permissions.can(link.permission)) return [];
    const [title, icon] = [titles[page] ?? page, icons[page] ?? ""];
    return [{ page, path: toPath({ page, orgId } as Route), title, icon, ...link }];
  });
  const isOfOrg = ({ path }: PageLink) => path.startsWith(toPath({ page: "overview", orgId }));
  return { org: links.filter(isOfOrg), instance: links.filter((link) => !isOfOrg(link)) };
}
