/** ES modules, TypeScript stripped by swc. `npm test` sets the Node flag that jest needs for modules. */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2024" }, module: { type: "es6" } },
    ],
  },
  testTimeout: 60_000,
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
};
