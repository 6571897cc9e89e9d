/** The texts of a test sign-in at a provider, which administrators open from the console. */
export const PROVIDER_TEST = {
  title: "Test sign-in with {{name}}",
  text: "Sign in at {{name}} with any account. Signet then shows what {{name}} says about it, and what a sign-in would do. Nobody is signed in here, and no user is added or changed.",
  submit: "Continue to {{name}}",
  // The provider has no settings yet.
  draft: "The provider has no settings yet. Enter them in the console first.",
  // The attempt is unknown, was used, or has expired.
  over: "This test has ended. Start it again.",
  again: "Test again",
  // The result, if the provider's response can be used.
  works: "{{name}} has confirmed an account",
  failed: "The test sign-in with {{name}} failed",
  // What a sign-in would do.
  outcome: "What a sign-in would do",
  outcomes: {
    notAllowed: "It is refused: the login policy of the organization allows no providers.",
    signsIn: "It signs in {{user}}, who is linked to this account.",
    updates: "It takes over the names and the verified address.",
    blocked: "It is refused: {{user}} is linked to this account, and is not active.",
    links: "It links this account to {{user}}, who has the same verified address, without asking.",
    registers: "It adds a new user without a form.",
    refused: "It is refused: nobody is linked to this account, and the provider lets people neither link nor register.",
    asksToLink: "It asks the person to sign in to an existing user, and to link this account.",
    asksToRegister: "It asks the person to register with a form.",
    asksEither:
      "It asks the person to sign in to an existing user and to link this account, or to register with a form.",
  },
  // Instead of a user name, for those who may not read users.
  someone: "a user",
  // Why a new user is not added without a form.
  problems: {
    missing: "Missing, or not usable: {{fields}}",
    foreignAddress: "The user name is an address or a number that the provider has not verified.",
    nameTaken: "The user name is taken.",
    addressTaken: "Another user signs in with this address.",
  },
  // What Signet reads.
  read: "What Signet reads",
  fields: {
    id: "Account id",
    userName: "User name",
    firstName: "First name",
    lastName: "Last name",
    displayName: "Display name",
    email: "Email address",
    language: "Language",
  },
  verified: "{{email}} (verified)",
  notVerified: "{{email}} (not verified)",
  // What the provider has sent, from a source such as the ID token.
  asSent: "As it came: {{source}}",
  // More values than are shown.
  more: "More values came that are not shown: {{count}}",
};
