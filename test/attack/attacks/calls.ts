import { randomBytes } from "node:crypto";
import { fromJson, toBinary } from "@bufbuild/protobuf";
import { ImportHumanUserRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import { encodeFields, headers } from "../../support/clients/http2-frames.ts";
import { type Attack, inParallel } from "../attack.ts";
import { type Client, openClient, type Wire } from "../client.ts";
import { keepSession, untilEvent } from "../raw-session.ts";
import { IMPORT_REST, requestOf, unknownToken } from "../requests.ts";

const PASSWORDS = 400;
const GRPC_CONNECTIONS = 2;
const GRPC_IN_FLIGHT = 200;
const GRPC_AT_ONCE = 10;
const REST_CONNECTIONS = 32;

/** 400 in-flight imports, each with a password to hash, using a valid token of another organization. */
export const passwords: Attack = async (context) => {
  const clients: (Client | undefined)[] = [];
  for (let opened = 0; opened < 4 && context.isGoing(); opened++) clients.push(await openClient(context, "grpc"));
  const bodyOf = () => {
    const name = `attacker-${randomBytes(8).toString("hex")}`;
    const request = {
      userName: name,
      profile: { firstName: "A", lastName: "B" },
      email: { email: `${name}@example.com`, isEmailVerified: true },
      password: `Password-${name}`,
    };
    return Buffer.from(toBinary(ImportHumanUserRequestSchema, fromJson(ImportHumanUserRequestSchema, request)));
  };
  const run = inParallel(PASSWORDS, async (index) => {
    const client = clients[index % clients.length];
    while (client?.isOpen() && context.isGoing()) {
      await client.ask({ body: bodyOf(), format: "proto", token: context.plan.token });
    }
  });
  await Promise.race([run, untilOver(context.plan.seconds)]);
  // Disconnects like an attacker, so that queued work no longer has a caller.
  for (const client of clients) client?.close();
};

/** Unknown tokens, a new one with each call, as fast as they are rejected. */
export function wrongTokens(wire: Exclude<Wire, "connect">): Attack {
  return wire === "grpc" ? wrongTokensOverGrpc : wrongTokensOverRest;
}

const wrongTokensOverGrpc: Attack = (context) =>
  inParallel(GRPC_CONNECTIONS, () =>
    keepSession(context, {}, async (session) => {
      while (session.isOpen() && context.isGoing()) {
        const ids = Array.from({ length: GRPC_AT_ONCE }, () => session.nextId());
        // The token is checked before the body, so the request ends after its head.
        await session.write(
          ...ids.map((id) => headers(id, encodeFields(requestOf("grpc").fields), { endStream: true })),
        );
        context.count("requests", GRPC_AT_ONCE);
        await session.waitForRoom(ids, GRPC_IN_FLIGHT);
      }
    }),
  );

const wrongTokensOverRest: Attack = (context) =>
  inParallel(REST_CONNECTIONS, async () => {
    while (context.isGoing()) {
      const socket = await context.connect("http/1.1");
      socket?.resume();
      while (socket?.writable && context.isGoing()) {
        const fields = `host: localhost\r\nauthorization: Bearer ${unknownToken()}\r\ncontent-type: application/json`;
        socket.write(`POST ${IMPORT_REST} HTTP/1.1\r\n${fields}\r\ncontent-length: 2\r\n\r\n{}`);
        context.count("requests");
        await untilEvent(socket, "data");
      }
      socket?.destroy();
    }
  });

function untilOver(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
