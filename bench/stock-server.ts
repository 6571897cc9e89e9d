/** Signet's operations behind the gRPC handler of Connect's Node adapter. */

import { createServer } from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { createAuthorize } from "../src/access/authorize.ts";
import { createRecentCredentials } from "../src/access/recent-credentials.ts";
import { createTokenUses } from "../src/access/token-uses.ts";
import { createSanitizeSvg } from "../src/branding/svg-thread.ts";
import { readConfig } from "../src/config.ts";
import { createKeyring } from "../src/crypto/keyring.ts";
import { connect } from "../src/database/connection.ts";
import { createRunTogether } from "../src/database/run-together.ts";
import { SignetError } from "../src/errors.ts";
import { createReadSettledPosition } from "../src/events/settled-position.ts";
import { createSamlThread } from "../src/idps/saml/saml-thread.ts";
import { createOutbox } from "../src/messages/outbox.ts";
import { createProveDomain } from "../src/orgs/domains/domain-proof.ts";
import { createHasher } from "../src/passwords/hasher.ts";
import { toConnectError } from "../src/rpc/connect/handlers.ts";
import { createRpcs } from "../src/rpcs.ts";

const db = connect({ url: process.env.DATABASE_URL ?? "" }, 16, () => {});
const clock = () => new Date();
const keyring = createKeyring([Buffer.from(process.env.MASTER_KEY ?? "", "base64")]);
const passwords = createHasher({ cost: 12, threads: 2 });
const outbox = createOutbox({
  keyring,
  publicUrl: "http://localhost",
  sendsEmail: false,
  sendsSms: false,
  onQueued() {},
});
const runTogether = createRunTogether(db);
const authorize = createAuthorize(runTogether, clock, createRecentCredentials(), createTokenUses());
const rpcs = createRpcs({
  db,
  runTogether,
  keyring,
  passwords,
  outbox,
  clock,
  eraseFiles: async () => {},
  publicUrl: "http://localhost",
  readSettledPosition: createReadSettledPosition(db),
  config: readConfig({}),
  saml: createSamlThread(),
  sanitizeSvg: createSanitizeSvg(),
  proveDomain: createProveDomain({ allowsPrivate: false }),
});

createServer(
  connectNodeAdapter({
    routes(router) {
      for (const { desc, permission, run } of rpcs) {
        router.rpc(desc, async (request, { requestHeader, signal }) => {
          try {
            const credentials = {
              authorization: requestHeader.get("authorization") ?? undefined,
              orgId: requestHeader.get("x-service-orgid") ?? undefined,
              client: { refuseStranger: () => undefined, countFailure() {}, trust() {} },
            };
            const principal = await authorize(credentials, permission);
            return await run(request, { ...principal, signal, throwIfOver: () => signal.throwIfAborted() });
          } catch (error) {
            throw error instanceof SignetError ? toConnectError(error) : new ConnectError("internal", Code.Internal);
          }
        });
      }
    },
  }),
).listen(Number(process.env.PORT), "127.0.0.1");
