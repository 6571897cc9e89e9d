import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setPasswordHook } from "../../../src/password-hook/set-password-hook.ts";
import { ofOperator } from "../operations/principal.ts";
import type { TestService } from "../servers/service.ts";

/** A request that a password hook got. */
export interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly user: {
    readonly id: string;
    readonly resourceOwner: string;
    readonly subject: string;
    readonly externalId?: string;
    readonly userName: string;
    readonly email: string;
    readonly isEmailVerified: boolean;
  };
  readonly password: string;
}

/** The response of a hook: the body as JSON, or a status. */
export type HookResponse = object | number;

/** A system that knows passwords. */
export interface TestHook {
  readonly url: string;
  /** In the order in which they arrived. */
  readonly asked: Asked[];
  /** By default, every password is wrong. */
  respond: (asked: Asked) => HookResponse | Promise<HookResponse>;
  close(): Promise<void>;
}

export async function startPasswordHook(): Promise<TestHook> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const one = { headers: request.headers, body, ...JSON.parse(body).data };
    asked.push(one);
    const answer = await hook.respond(one);
    if (typeof answer === "number") response.writeHead(answer, { location: "http://127.0.0.1:9/" }).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const hook: TestHook = {
    url: `http://127.0.0.1:${port}/signet?tenant=1`,
    asked,
    respond: () => ({ valid: false }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return hook;
}

/** Sets the password hook of an organization. Returns the signing key. */
export async function createTestPasswordHook(service: TestService, orgId: string, url: string): Promise<string> {
  const { db, keyring, clock } = service;
  const { signingKey } = await setPasswordHook({ db, keyring, clock }, { url }, ofOperator(orgId));
  return service.secret(signingKey);
}
