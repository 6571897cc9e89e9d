import config from "./jest.config.js";

const { testMatch: _, testPathIgnorePatterns, ...shared } = config;

/** `npm run test:slow`: the files that `npm test` leaves out. */
export default { ...shared, testRegex: testPathIgnorePatterns };
