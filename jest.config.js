import { availableParallelism } from "node:os";

/**
 * ES modules, TypeScript stripped by swc. `npm test` sets the Node flag that jest needs for modules, and restricts V8 to the
 * baseline compiler for WebAssembly: the optimizing one doubles the CPU time of starting an embedded database.
 */
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
  // One worker per core, because the files wait for processes and the database much of the time. More than four could
  // exhaust the 300 connections of the test database.
  maxWorkers: Math.min(availableParallelism(), 4),
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
};
