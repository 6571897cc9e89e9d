import config from "./jest.config.js";

/** `npm run test:slow`. */
export default { ...config, testMatch: ["<rootDir>/test/**/*.slow.test.ts"], testPathIgnorePatterns: [] };
