import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@bufbuild/protobuf";
import type { TestService } from "../servers/service.ts";

/** A request that a receiver got. */
export interface Received {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: {
    readonly type: string;
    readonly timestamp: string;
    readonly test?: boolean;
    readonly data: {
      readonly sequence: string;
      readonly aggregate: { readonly id: string; readonly type: string; readonly resourceOwner: string };
      readonly editor?: { readonly userId: string };
      readonly payload?: JsonObject;
    };
  };
}

/** A server that gets the events of a webhook. */
export interface Receiver {
  readonly url: string;
  /** In the order in which they arrived, whatever the response was. */
  readonly received: Received[];
  /** Returns the status of the response, after any time. By default, 204. */
  respond: (received: Received) => number | Promise<number>;
  /** The body of responses. */
  body: string;
  close(): Promise<void>;
}

/** @param headers Headers of every response. */
export async function startReceiver(headers: Record<string, string> = {}): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const given = request.headers as Record<string, string>;
    const one = { id: String(given["webhook-id"]), headers: given, body, event: JSON.parse(body) };
    received.push(one);
    response.writeHead(await receiver.respond(one), headers).end(receiver.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook?tenant=1`,
    received,
    respond: () => 204,
    body: "",
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return receiver;
}

/** Appends events of objects of an organization, in one transaction. */
export async function appendEvents(
  { db }: Pick<TestService, "db">,
  ownerId: string,
  events: readonly { readonly aggregateId: string; readonly sequence: number; readonly payload?: object }[],
): Promise<void> {
  await db
    .insertInto("events")
    .values(
      events.map(({ aggregateId, sequence, payload = {} }) => ({
        owner_id: ownerId,
        aggregate_id: aggregateId,
        sequence: BigInt(sequence),
        type: "user.human.profile.changed",
        editor_id: null,
        created_at: new Date(),
        payload: JSON.stringify(payload),
      })),
    )
    .execute();
}
