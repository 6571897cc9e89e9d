import { IMPORT_PATH, send } from "../clients/send.ts";
import type { TestService } from "../servers/service.ts";

/** Imports a human user who gets an email. Returns the user's id. */
export async function importUser(service: TestService, name: string, more: object = {}): Promise<string> {
  const body = {
    userName: name,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: `${name}@example.com` },
    ...more,
  };
  const response = await send(service.origin, "POST", IMPORT_PATH, { token: service.adminToken, body });
  if (response.status !== 200) throw new Error(`the import returned ${response.status}`);
  return response.body.userId;
}

/** Changes a user's phone number to one that is not verified, which queues an SMS. */
export async function changePhone(service: TestService, userId: string, phone: string): Promise<void> {
  const path = `/management/v1/users/${userId}/phone`;
  const response = await send(service.origin, "PUT", path, { token: service.adminToken, body: { phone } });
  if (response.status !== 200) throw new Error(`the change returned ${response.status}`);
}

/** All messages with their codes, in the order in which they were queued. */
export async function readMessages({ db }: TestService) {
  return await db
    .selectFrom("messages")
    .innerJoin("codes", (join) =>
      join.onRef("codes.org_id", "=", "messages.org_id").onRef("codes.id", "=", "messages.code_id"),
    )
    .select(["messages.id", "messages.recipient", "messages.state", "messages.attempts", "messages.next_attempt_at"])
    .select(["messages.ended_at", "messages.last_error", "messages.content", "messages.content_key"])
    .select(["messages.created_at", "messages.code_id", "codes.expires_at"])
    .orderBy("messages.id")
    .execute();
}

/** The only message. */
export async function readMessage(service: TestService) {
  const [message, ...others] = await readMessages(service);
  if (message === undefined || others.length > 0) throw new Error("there is not exactly one message");
  return message;
}

/** The current time of a service's clock. */
export function nowOf({ clock }: TestService): number {
  return clock().getTime();
}
