import { randomUUID } from "node:crypto";
import { Code, createSignetClient, Reason, readError } from "@signet/client/node";

const signet = createSignetClient({
  baseUrl: `http://${process.env.SIGNET_ADDRESS}`,
  token: process.env.SIGNET_TOKEN,
  timeoutMs: 5_000,
});
const user = {
  userName: `ada-${randomUUID()}`,
  profile: { firstName: "Ada", lastName: "Lovelace" },
  email: { email: "ada@example.com", isEmailVerified: true },
};

const { userId } = await signet.management.importHumanUser(user);
console.log("imported", userId);
try {
  await signet.management.importHumanUser(user);
} catch (thrown) {
  const error = readError(thrown);
  if (error.reason !== Reason.USER_NAME_TAKEN || error.metadata.userId !== userId) throw thrown;
  console.log("failed", Code[error.code], error.reason);
}
