import { randomBytes } from "node:crypto";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { WatchEventsRequestSchema } from "../../../gen/signet/v1/event_pb.js";
import { ImportHumanUserRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import { type Attack, type AttackContext, inParallel, pause } from "../attack.ts";
import { type Client, openClient } from "../client.ts";

/*
 * Attacks by an owner of another organization, with a valid token: what the events of an organization may cost others.
 */

const WATCH = "/signet.v1.ManagementService/WatchEvents";
/** The limit of a user. */
const STREAMS = 100;
const IMPORTS_IN_FLIGHT = 16;
/** The limit of an organization. */
const WEBHOOKS = 20;
/** As exported by another system, so that nothing has to be hashed. */
const HASH = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";

/** As many streams as a user may open. Each is closed after its first event, and opened again from the beginning. */
export const watchStreams: Attack = async (context) => {
  const importing = importUsers(context, 1);
  const socket = await context.connect("h2");
  if (socket === undefined) return;
  // The socket is already connected to 127.0.0.1.
  const session = connectHttp2("http://127.0.0.1", { createConnection: () => socket });
  session.on("error", () => {});
  const request = toBinary(WatchEventsRequestSchema, fromJson(WatchEventsRequestSchema, { afterPosition: "0" }));
  const body = Buffer.concat([Buffer.from([0, 0, 0, 0, request.length]), request]);
  await inParallel(STREAMS, async () => {
    while (context.isGoing() && !session.closed && !session.destroyed) {
      const outcome = await watchOnce(session, context.plan.token, body);
      context.count(outcome);
      // A refusal is not turned into a busy loop.
      if (outcome !== "events") await pause(20);
    }
  });
  session.destroy();
  await importing;
};

function watchOnce(session: ClientHttp2Session, token: string, body: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const stream = session.request({
      ":method": "POST",
      ":path": WATCH,
      "content-type": "application/grpc",
      te: "trailers",
      authorization: `Bearer ${token}`,
    });
    let outcome = "closed";
    stream.on("response", (fields) => {
      if (fields["grpc-status"] !== undefined) outcome = `grpc ${fields["grpc-status"]}`;
    });
    stream.on("trailers", (fields) => {
      outcome = `grpc ${fields["grpc-status"]}`;
    });
    stream.once("data", () => {
      outcome = "events";
      stream.close();
    });
    stream.on("error", () => {});
    stream.on("close", () => resolve(outcome));
    stream.end(body);
  });
}

/** As many webhooks as an organization may have, none of which can be reached, and imports whose events all of them get. */
export const webhooks: Attack = async (context) => {
  const ids: string[] = [];
  for (let n = 0; n < WEBHOOKS; n++) {
    const hook = { name: `Hook ${n}`, url: "http://localhost:9/", includesPayload: true };
    const response = await callWebhooks(context, "POST", "", hook);
    context.count(`webhooks added ${response.status}`);
    ids.push(String(((await response.json()) as { id?: string }).id));
  }
  await importUsers(context, IMPORTS_IN_FLIGHT);
  // Their deliveries would be repeated during later attacks.
  await Promise.all(ids.map((id) => callWebhooks(context, "DELETE", `/${id}`)));
};

function callWebhooks({ plan }: AttackContext, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${plan.port}/management/v1/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${plan.token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function importUsers(context: AttackContext, inFlight: number): Promise<void> {
  const client = await openClient(context, "grpc");
  if (client === undefined) return;
  await inParallel(inFlight, async () => {
    while (client.isOpen() && context.isGoing()) await importUser(client, context.plan.token);
  });
  client.close();
}

async function importUser(client: Client, token: string): Promise<void> {
  const userName = `attacker-${randomBytes(8).toString("hex")}`;
  const user: JsonObject = {
    userName,
    profile: { firstName: "A", lastName: "B" },
    email: { email: `${userName}@example.com`, isEmailVerified: true },
    hashedPassword: { value: HASH },
  };
  const body = toBinary(ImportHumanUserRequestSchema, fromJson(ImportHumanUserRequestSchema, user));
  await client.ask({ body: Buffer.from(body), format: "proto", token });
}
