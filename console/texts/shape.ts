import type { LifetimeUnit } from "../parts/lifetime.ts";
import type { InstancePage, OrgPage } from "../state/routes.ts";
import type { ApisTexts } from "./shapes/apis.ts";
import type { AppsTexts } from "./shapes/apps.ts";
import type { AuditTexts } from "./shapes/audit.ts";
import type { EventTexts } from "./shapes/events.ts";
import type { IdpsTexts } from "./shapes/idps.ts";
import type { InstanceTexts } from "./shapes/instance.ts";
import type { MembersTexts } from "./shapes/members.ts";
import type { MessagesTexts } from "./shapes/messages.ts";
import type { OverviewTexts } from "./shapes/overview.ts";
import type { SignInPageTexts } from "./shapes/sign-in-page.ts";
import type { ContactTexts, MachineTexts, TokensTexts } from "./shapes/user-parts.ts";
import type { WebhooksTexts } from "./shapes/webhooks.ts";

type OrgRole = "ORG_OWNER" | "ORG_SETTINGS_MANAGER" | "ORG_USER_MANAGER" | "ORG_VIEWER";

/** All texts of the console in one language. */
export interface Texts {
  readonly loading: string;
  readonly signIn: {
    readonly signIn: string;
    readonly signedOut: string;
    readonly signedOutText: string;
    readonly insecure: string;
    readonly insecureText: string;
    readonly failed: string;
    readonly noRole: string;
    readonly noRoleText: string;
    readonly over: string;
    readonly overText: string;
  };
  readonly shell: {
    readonly skip: string;
    readonly navigation: string;
    /** The pages of the instance. */
    readonly instance: string;
    readonly pages: Readonly<Record<OrgPage | InstancePage, string>>;
    readonly menuOf: (name: string) => string;
    readonly account: string;
    readonly signOut: string;
    readonly keys: string;
    readonly theme: string;
    readonly themes: { readonly system: string; readonly light: string; readonly dark: string };
    readonly language: string;
    readonly orgIs: (name: string) => string;
    readonly findOrg: string;
    readonly noOrgs: string;
    readonly unknownOrg: string;
  };
  readonly keys: {
    readonly title: string;
    readonly search: string;
    readonly searchHint: string;
    readonly list: string;
    /** To another organization. */
    readonly orgs: string;
    readonly help: string;
    readonly close: string;
  };
  readonly actions: {
    readonly save: string;
    readonly discard: string;
    readonly cancel: string;
    readonly close: string;
    readonly add: string;
    readonly remove: string;
    readonly retry: string;
    readonly copy: string;
    readonly copied: string;
    /** Below a secret that cannot be shown again. */
    readonly once: string;
    /** The question before changes of a form are lost. */
    readonly leave: string;
  };
  readonly problems: {
    /** The service did not respond. */
    readonly unreachable: string;
    /** Before the id of a request. */
    readonly requestId: string;
  };
  /** The fields for durations. */
  readonly lifetimes: { readonly unit: string; readonly units: Readonly<Record<LifetimeUnit, string>> };
  readonly overview: OverviewTexts;
  readonly audit: AuditTexts;
  readonly events: EventTexts;
  readonly messages: MessagesTexts;
  readonly members: MembersTexts;
  readonly instance: InstanceTexts;
  readonly contact: ContactTexts;
  readonly machine: MachineTexts;
  readonly tokens: TokensTexts;
  readonly appRoles: { readonly title: string };
  readonly apps: AppsTexts;
  readonly idps: IdpsTexts;
  readonly signInPage: SignInPageTexts;
  readonly webhooks: WebhooksTexts;
  readonly apis: ApisTexts;
  readonly missing: { readonly title: string; readonly text: string; readonly home: string };
  readonly users: {
    readonly title: string;
    readonly search: string;
    readonly add: string;
    /** What kind of user to add. */
    readonly kind: string;
    readonly kinds: { readonly human: string; readonly machine: string };
    readonly userNameHint: string;
    /** Before the warnings about a new user. */
    readonly added: string;
    readonly show: string;
    /** By the reason of the warning of an import. */
    readonly warningReasons: Readonly<Record<string, string>>;
    readonly filters: string;
    readonly types: { readonly human: string; readonly machine: string };
    readonly columnsMenu: string;
    readonly columns: Readonly<
      Record<"name" | "userName" | "email" | "phone" | "state" | "lastSignIn" | "created" | "id", string>
    >;
    readonly select: (name: string) => string;
    readonly selectAll: string;
    readonly selected: (count: number) => string;
    readonly none: string;
    /** In place of an empty list, with a search or a filter, and without. */
    readonly noMatch: string;
    readonly noneYet: string;
    /** Numbers that are formatted. */
    readonly range: (first: string, last: string, total: string) => string;
    readonly pageSize: string;
    readonly previous: string;
    readonly next: string;
    readonly actions: Readonly<Record<"lock" | "unlock" | "deactivate" | "reactivate" | "remove", string>>;
    readonly confirm: (action: string, count: number) => string;
    readonly confirmOne: (action: string, name: string) => string;
    readonly removeText: string;
    readonly progress: (succeeded: number, failed: number, waiting: number) => string;
    readonly succeeded: string;
  };
  readonly user: {
    readonly title: string;
    readonly none: string;
    readonly states: Readonly<Record<"active" | "inactive" | "locked" | "initial", string>>;
    readonly profile: string;
    readonly verified: string;
    readonly notVerified: string;
    /** Somebody else has changed the profile since it was loaded. */
    readonly stale: string;
    readonly fields: Readonly<
      Record<"firstName" | "lastName" | "nickName" | "displayName" | "preferredLanguage" | "userName" | "email", string>
    >;
    /** By the numbers of the enum of the API. */
    readonly genders: Readonly<Record<"label" | 0 | 1 | 2 | 3, string>>;
    readonly roles: {
      readonly title: string;
      readonly names: Readonly<Record<OrgRole, string>>;
      /** What the role allows. */
      readonly meanings: Readonly<Record<OrgRole, string>>;
    };
    readonly waysIn: {
      readonly title: string;
      readonly password: string;
      readonly reset: string;
      readonly resetBySms: string;
      readonly invite: string;
      readonly sent: string;
      readonly passkeys: string;
      readonly passkeyLink: string;
      readonly passkeyLinkText: string;
      readonly unnamed: string;
      readonly oneTimeCodes: string;
      readonly on: string;
      readonly off: string;
      readonly removeCodes: string;
      readonly setPassword: string;
      readonly setPasswordText: string;
      readonly newPassword: string;
      readonly mustChange: string;
    };
    readonly sessions: {
      readonly title: string;
      readonly lastSeen: string;
      readonly unknownBrowser: string;
      readonly end: string;
      readonly endAll: string;
    };
    readonly links: {
      readonly title: string;
      readonly add: string;
      readonly provider: string;
      readonly externalId: string;
      readonly externalIdHint: string;
    };
    readonly metadata: {
      readonly title: string;
      readonly add: string;
      readonly key: string;
      readonly value: string;
      readonly bytes: (count: number) => string;
    };
    readonly history: { readonly title: string; readonly more: string; readonly operator: string };
  };
  readonly orgs: {
    readonly title: string;
    readonly search: string;
    readonly add: string;
    readonly name: string;
    readonly state: string;
    readonly created: string;
    readonly id: string;
    readonly domain: string;
    readonly active: string;
    readonly inactive: string;
    readonly count: (count: string) => string;
    readonly settings: string;
    readonly members: string;
    readonly rename: string;
    readonly deactivate: string;
    readonly deactivateText: string;
    readonly reactivate: string;
    readonly withOwner: string;
    readonly owner: string;
    readonly ownerHint: string;
    readonly remove: string;
    readonly removeOf: (name: string) => string;
    readonly removeText: string;
    readonly confirmName: (name: string) => string;
    /** Take the formatted number of erased users. */
    readonly removing: (users: string) => string;
    readonly removed: (users: string) => string;
    readonly removingText: string;
  };
}
