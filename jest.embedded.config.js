import config from "./jest.config.js";

/** These are about PostgreSQL: its plans and locks, several connections, or a process beside the service. */
const ABOUT_POSTGRES = [
  "plans\\.db\\.test",
  "concurrency",
  "concurrent-",
  "find-identified-user",
  "ends-during-requests",
  "orgs/remove-org",
  "events/list-events",
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
