import { availableParallelism } from "node:os";

/**
 * Node imports the test files and strips their types (test/support/native-runner.ts). `npm test` restricts V8 to the
 * baseline compiler for WebAssembly, because the optimizing one doubles the CPU time of starting an embedded database.
 */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // jest.slow.config.js runs these: attacks, kills under load, and Chromium.
  testPathIgnorePatterns: ["\\.slow\\.test\\.ts$", "browser[^/]*\\.test\\.ts$"],
  testEnvironment: "node",
  testRunner: "<rootDir>/test/support/native-runner.ts",
  transform: {},
  injectGlobals: false,
  // Ends a test that hangs. On a busy machine, a test can take 20 times as long as usual.
  testTimeout: 240_000,
  // One worker more than cores, because tests also wait: on two idle cores, the suite took 185 to 207 s with three workers
  // and 242 s with two. One test file used up to 21 of the test database's 300 connections.
  maxWorkers: Math.min(availableParallelism() + 1, 5),
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
};
