import { availableParallelism } from "node:os";
import config from "./jest.config.js";

const { testMatch: _, testPathIgnorePatterns, ...shared } = config;

/**
 * `npm run test:slow`: the files that `npm test` leaves out. Each keeps a core or more busy, so no more of them run at once
 * than there are cores.
 */
export default { ...shared, testRegex: testPathIgnorePatterns, maxWorkers: Math.min(availableParallelism(), 4) };
