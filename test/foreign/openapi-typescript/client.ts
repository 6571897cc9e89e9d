/** Imports a user twice, and reads the user and the details of the second call's error. */
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./signet.ts";

const signet = createClient<paths>({
  baseUrl: `http://${process.env.SIGNET_ADDRESS}`,
  headers: { authorization: `Bearer ${process.env.SIGNET_TOKEN}` },
});
const body: components["schemas"]["ImportHumanUserRequest"] = {
  userName: `ada-${randomUUID()}`,
  profile: { firstName: "Ada", lastName: "Lovelace" },
  email: { email: "ada@example.com", isEmailVerified: true },
};

const imported = await signet.POST("/management/v1/users/human/_import", { body });
if (imported.error) throw new Error(imported.error.message);
const id = imported.data.userId ?? "";
console.log("imported", id, "sequence", imported.data.details?.sequence);

const read = await signet.GET("/management/v1/users/{id}", { params: { path: { id } } });
console.log("read", read.data?.user?.human?.profile?.firstName, read.data?.user?.state);

const { error } = await signet.POST("/management/v1/users/human/_import", { body });
for (const detail of error?.details ?? []) {
  if (detail["@type"] === "type.googleapis.com/google.rpc.ErrorInfo") console.log("failed", detail.reason);
}
