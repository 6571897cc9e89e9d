const REGISTER = "Register Signet there. You get a client id and a client secret.";
const CALLBACK = "Enter this URL there, exactly as it is.";

export const EN_IDPS = {
  title: "Providers",
  ofInstance: "Providers of the instance",
  idp: "Provider",
  add: "Add a provider",
  none: "No providers yet. With a provider, users sign in with an account that they have elsewhere.",
  owner: "Belongs to",
  instance: "Instance",
  org: "Organization",
  /** Each kind, and what to do at the provider before it is added here, and after that. */
  kinds: {
    google: {
      name: "Google",
      before: `${REGISTER} In the Google Cloud console: Credentials, OAuth client ID, type Web application.`,
      after: `${CALLBACK} In the OAuth client: Authorized redirect URIs.`,
    },
    microsoft: {
      name: "Microsoft Entra ID",
      before: `${REGISTER} In the Entra admin center: App registrations, New registration.`,
      after: `${CALLBACK} In the app registration: Authentication, Web, Redirect URIs.`,
    },
    apple: {
      name: "Apple",
      before:
        "In Apple Developer, create a Services ID, whose identifier is the client id, and a key for Sign in with Apple.",
      after: `${CALLBACK} In the Services ID: Sign in with Apple, Configure, Return URLs.`,
    },
    github: {
      name: "GitHub",
      before: `${REGISTER} At GitHub: Settings, Developer settings, OAuth Apps.`,
      after: `${CALLBACK} In the OAuth App: Authorization callback URL.`,
    },
    githubServer: {
      name: "GitHub Enterprise Server",
      before: `${REGISTER} On the server: Settings, Developer settings, OAuth Apps.`,
      after: `${CALLBACK} In the OAuth App: Authorization callback URL.`,
    },
    gitlab: {
      name: "GitLab.com",
      before: `${REGISTER} At GitLab: Preferences, Applications, with the scopes openid, profile and email.`,
      after: `${CALLBACK} In the application: Redirect URI.`,
    },
    gitlabServer: {
      name: "Self-managed GitLab",
      before: `${REGISTER} There: Preferences, Applications, with the scopes openid, profile and email.`,
      after: `${CALLBACK} In the application: Redirect URI.`,
    },
    oidc: {
      name: "OpenID Connect",
      before: REGISTER,
      after: `${CALLBACK} It may be called redirect URI there.`,
    },
    oauth: {
      name: "OAuth 2.0",
      before: REGISTER,
      after: `${CALLBACK} It may be called redirect URI there.`,
    },
    saml: {
      name: "SAML 2.0",
      before: "Export the metadata of the provider, or copy the URL of the metadata.",
      after: "Let the provider import Signet's metadata from the first URL, or enter both URLs there.",
    },
  },
  settings: "Settings",
  urls: "URLs for the provider",
  draftText: "It is added without settings, and switched off. Its page then has the URLs that the provider asks for.",
  steps: "URLs, settings, test, offer",
  guide: "The steps in the guide",
  callback: "Callback URL",
  entityId: "Metadata, entity id",
  acs: "Assertion consumer service",
  offer: {
    title: "Offer it",
    text: "Users do not see the provider yet. Offer it once the test sign-in has shown what you expect.",
    button: "Offer it on the sign-in page",
    done: (name: string) => `The sign-in page offers ${name}`,
  },
  check: {
    title: "Test",
    signIn: "Test the sign-in (new tab)",
    signInHint:
      "Shows what the provider says about an account, and what a sign-in would do. Nobody is signed in, and nothing is stored. Also shows whether the provider accepts the secret and the URL.",
    draft: "Save the settings first.",
    hint: "Signet loads what the provider publishes, as a sign-in does, and compares it with the settings. Nobody is signed in.",
    button: "Test the provider",
    running: "Testing …",
    good: "No problems were found.",
    goodSoFar: "No problems were found in what can be tested.",
    bad: "Users cannot sign in with this provider.",
    warnings: "Warnings",
    scopes: "Scopes that the provider lists",
    again: "Correct this in the settings or at the provider, and test again.",
  },
  nameHint: "Users see it on the button of the sign-in page.",
  keepSecret: "Leave it empty to keep the stored one.",
  fields: {
    clientId: { label: "Client id" },
    clientSecret: { label: "Client secret", hint: "It is stored encrypted, and never shown again." },
    issuer: { label: "Issuer", hint: "Its metadata is at this URL, followed by /.well-known/openid-configuration." },
    scopes: { label: "Scopes", hint: "Separated by spaces. Without any, Signet requests those that it needs." },
    authorizationEndpoint: { label: "Authorization endpoint" },
    tokenEndpoint: { label: "Token endpoint" },
    userEndpoint: { label: "User endpoint", hint: "Returns the data about the user as JSON." },
    idAttribute: {
      label: "Member with the id of the user",
      hint: "In the data about the user, such as id or data.id.",
    },
    usePkce: { label: "Code challenge (PKCE)", hint: "Recommended, unless the provider rejects it." },
    isIdTokenMapping: { label: "Read the ID token only", hint: "Signet does not ask the userinfo endpoint." },
    requireAuthTime: {
      label: "Require the time of authentication",
      hint: "If an application sends max_age. Otherwise, it is enough that the provider was asked to prompt the user.",
    },
    trustEmail: {
      label: "Trust its addresses",
      hint: "They count as verified, unless the provider says that they are not. Only if it verifies them.",
    },
    tenant: { label: "Who can sign in" },
    tenantId: { label: "Tenant", hint: "Its id, or a domain name." },
    emailVerified: {
      label: "Addresses are verified",
      hint: "Only for a single tenant that verifies them: its administrators can set any address.",
    },
    userIdAttribute: {
      label: "Users are linked by",
      hint: "Links of an import have the object id. A sign-in changes a link that has the other one.",
    },
    teamId: { label: "Team id" },
    keyId: { label: "Key id" },
    privateKey: {
      label: "Private key",
      hint: "The content of the .p8 file. It is stored encrypted, and never shown again.",
    },
    metadataUrl: { label: "URL of the metadata", hint: "Signet loads it once, when you save." },
    metadataXml: { label: "Metadata (XML)", hint: "Instead of the URL." },
    binding: { label: "Requests are sent" },
    nameIdFormat: { label: "Name of users", hint: "It identifies the user." },
    transientMappingAttributeName: {
      label: "Attribute with the id of the user",
      hint: "One that users cannot change themselves.",
    },
    withSignedRequest: { label: "Sign requests" },
    allowIdpInitiated: {
      label: "Sign-ins may begin at the provider",
      hint: "The person must confirm each one. It is safer to begin at the application.",
    },
    isLinkingAllowed: {
      label: "Link existing users",
      hint: "Users who are not linked can sign in to an account here, and link it.",
    },
    isCreationAllowed: { label: "Register new users", hint: "Users who are not linked can register, with a form." },
    isAutoCreation: { label: "Register without a form", hint: "If the provider sends all that is required." },
    isAutoUpdate: {
      label: "Keep names and addresses current",
      hint: "Each sign-in takes over what has changed at the provider.",
    },
    isAutoLinking: {
      label: "Link by address without asking",
      hint: "The provider can sign in as any user whose address it confirms. Use it only for a provider that you trust to verify addresses.",
    },
  },
  tenants: {
    common: "Everybody with a Microsoft account",
    organisations: "Users of organizations",
    consumers: "Users with a personal account",
    single: "Users of one tenant",
  },
  userIdAttributes: ["sub, which differs for each app registration", "Object id and tenant (oid)"],
  bindings: ["As its metadata allows", "By a form (HTTP-POST)", "By a redirect (HTTP-Redirect)"],
  nameIdFormats: ["Any", "Email address", "Persistent", "Transient"],
  options: "Users who are not linked",
  actions: {
    deactivate: { label: "Deactivate", text: "The sign-in page no longer offers it. Links to it are kept." },
    remove: {
      label: "Remove",
      text: "The provider and all links to it are removed: users who have no other way to sign in are locked out. This cannot be undone.",
    },
  },
};
