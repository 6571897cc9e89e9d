import config from "./jest.config.js";

/** These are about PostgreSQL: its plans and locks, several connections, or a process beside the service. */
const ABOUT_POSTGRES = [
  "plans\\.db\\.test",
  "find-identified-user",
  "events/list-events",
  "orgs/erase-events",
  // They hold a lock or a transaction while others wait; the embedded database has one session, and ends such a transaction
  // after two seconds.
  "branding/label-policy",
  "concurrency",
  "concurrent-",
  "ends-during-",
  "events/follow-events",
  "events/watch-events\\.db",
  "idps/linked-users",
  "oidc/signing-keys",
  "orgs/deactivate-org",
  "orgs/org-domains",
  "orgs/remove-org",
  "passkeys/register-passkey",
  "password-during-sign-in",
  "sign-in/changed-idp",
  "web/links/races",
  // It refuses most of hundreds of requests at once as busy, so that they reach no limit.
  "oidc/start-limit\\.wire",
  // It compares both databases in `npm test`.
  "users/together",
];

/** `npm run test:embedded`: what users and applications can see, on the embedded database. */
export default {
  ...config,
  testMatch: [
    "access",
    "apps",
    "branding",
    "events",
    "idps",
    "oidc",
    "orgs",
    "passkeys",
    "sign-in",
    "users",
    "web",
  ].map((room) => `<rootDir>/test/${room}/**/*.test.ts`),
  testPathIgnorePatterns: [...config.testPathIgnorePatterns, ...ABOUT_POSTGRES],
  maxWorkers: 2,
};
