/** A page of the reference. */
export interface Subject {
  /** The name of the page in `docs/reference`, without `.md`. */
  readonly file: string;
  readonly title: string;
  /** Matches the method and path of a call, without service and version, such as `PUT users/{userId}/phone`. */
  readonly calls: RegExp;
  /** Links to the pages that explain the subject. */
  readonly guides: string;
}

/** The pages. The first one that matches has the call. */
export const SUBJECTS: readonly Subject[] = [
  {
    file: "import-users",
    title: "Import users",
    calls: /^POST (users\/human\/|idps\/oidc$)/,
    guides: "[Import users](../api.md#import-users), [Moving](../moving.md)",
  },
  {
    file: "machine-users",
    title: "Machine users and tokens",
    calls: /(users\/machine$|\/machine$|\/pats\b)/,
    guides: "[Roles](../api.md#roles)",
  },
  {
    file: "metadata",
    title: "Metadata of users",
    calls: /\/metadata\b/,
    guides: "[Claims](../sign-in.md#metadata)",
  },
  {
    file: "user-roles",
    title: "Roles of users in applications",
    calls: /app_roles\b/,
    guides: "[Claims](../sign-in.md#scopes-and-claims)",
  },
  {
    file: "messages",
    title: "Messages to users",
    calls: /^\w+ (users\/\{\w+\}\/)?messages\//,
    guides: "[Messages](../messages.md)",
  },
  {
    file: "credentials",
    title: "Passwords, passkeys, links and sessions",
    calls: /^\w+ users\/\{\w+\}\/(?!phone|email|profile|username|changes)[a-z][a-z_]*(\/|$)/,
    guides: "[Pages](../pages.md), [Messages](../messages.md#what-is-sent-when)",
  },
  {
    file: "read-users",
    title: "Read users",
    calls: /^(GET users\/|POST users\/(_search|\{\w+\}\/changes))/,
    guides: "[Performance of lists](../api.md#performance-of-lists)",
  },
  {
    file: "change-users",
    title: "Change, suspend and remove users",
    calls: /^\w+ users\//,
    guides: "[Messages](../messages.md#what-is-sent-when), [Privacy](../events.md#privacy)",
  },
  {
    file: "organizations",
    title: "Organizations and their domains",
    calls: /^\w+ orgs\b(?!.*members)/,
    guides: "[Domain discovery](../sign-in.md#domain-discovery)",
  },
  {
    file: "members",
    title: "Members",
    calls: /members\b/,
    guides: "[Roles](../api.md#roles)",
  },
  {
    file: "applications",
    title: "Applications",
    calls: /^\w+ apps\b/,
    guides: "[Sign-in for applications](../sign-in.md)",
  },
  {
    file: "apis",
    title: "APIs",
    calls: /^\w+ apis\b/,
    guides: "[APIs](../sign-in.md#apis)",
  },
  {
    file: "providers",
    title: "Identity providers",
    calls: /^\w+ idps\b/,
    guides: "[Providers](../providers.md), [Other providers](../sign-in.md#other-providers)",
  },
  {
    file: "login-policy",
    title: "Login policy",
    calls: /^\w+ policies\/login/,
    guides: "[Login policy](../sign-in.md#login-policy)",
  },
  {
    file: "branding",
    title: "Branding",
    calls: /^\w+ policies\/label/,
    guides: "[Branding](../branding.md)",
  },
  {
    file: "texts",
    title: "Texts of messages and pages",
    calls: /^\w+ texts\//,
    guides: "[Branding](../branding.md#texts-of-messages), [Messages](../messages.md)",
  },
  {
    file: "events",
    title: "Events and failed sign-ins",
    calls: /(events|failed_sign_ins)\b/,
    guides: "[Events](../events.md), [Failed sign-ins](../sign-in.md#failed-sign-ins)",
  },
  {
    file: "webhooks",
    title: "Webhooks",
    calls: /^\w+ webhooks\b/,
    guides: "[Webhooks](../webhooks.md)",
  },
  {
    file: "password-hook",
    title: "Password hook",
    calls: /^\w+ password_hook\b/,
    guides: "[Passwords without hashes](../moving/password-hook.md)",
  },
  {
    file: "scim",
    title: "SCIM connections",
    calls: /^\w+ scim\b/,
    guides: "[SCIM](../scim.md)",
  },
  {
    file: "instance",
    title: "The instance and the caller",
    calls: /^\w+ (instance|permissions|memberships)\b/,
    guides: "[Configuration](../configuration.md), [Roles](../api.md#roles)",
  },
];
