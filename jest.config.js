import { availableParallelism } from "node:os";

/**
 * Node imports the test files and strips their types, in child processes of jest-light-runner. They evaluate the modules
 * of the service and its packages once; Jest's own runner would re-evaluate them for every test file. `npm test`
 * restricts V8 to the baseline compiler for WebAssembly, because the optimizing one doubles the CPU time of starting an
 * embedded database.
 */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // jest.slow.config.js runs these: attacks, kills under load, and Chromium.
  testPathIgnorePatterns: ["\\.slow\\.test\\.ts$", "browser[^/]*\\.test\\.ts$"],
  runner: "jest-light-runner/child-process",
  transform: {},
  setupFiles: ["<rootDir>/test/support/runner/end-with-runner.ts"],
  reporters: ["default", "<rootDir>/test/support/runner/file-time-limit.ts"],
  // One worker more than cores, because tests also wait: on two idle cores, the suite took 185 to 207 s with three workers
  // and 242 s with two. One test file used up to 21 of the test database's 300 connections.
  maxWorkers: Math.min(availableParallelism() + 1, 5),
  globalSetup: "<rootDir>/test/support/runner/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/runner/global-teardown.ts",
};
