/** Imports the user in SIGNET_USER with the TypeScript client, and prints its id and the number of attempts. */
import { createSignetClient } from "../../clients/typescript/src/node.ts";

let attempts = 0;
const { management } = createSignetClient({
  baseUrl: process.env.SIGNET_URL ?? "",
  token: process.env.SIGNET_TOKEN,
  interceptors: [
    (next) => (request) => {
      attempts += 1;
      return next(request);
    },
  ],
});
const { userId } = await management.importHumanUser(JSON.parse(process.env.SIGNET_USER ?? ""));
console.log(userId, "after", attempts, "attempts");
