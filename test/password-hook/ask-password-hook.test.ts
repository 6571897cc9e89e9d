import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer as createNetServer } from "node:net";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { createOutboundFetch } from "../../src/outbound/outbound-fetch.ts";
import { askPasswordHook } from "../../src/password-hook/ask-password-hook.ts";
import { PASSWORD_HOOK_SEALED, type PasswordHook } from "../../src/password-hook/find-password-hook.ts";
import { createSigningKey } from "../../src/webhooks/signing-key.ts";
import { freePort } from "../support/free-port.ts";
import { startPasswordHook, type TestHook } from "../support/webhooks/password-hook.ts";

const keyring = createKeyring([randomBytes(32)]);
const USER = {
  ...{ id: "user", subject: null, externalId: null, userName: "ada" },
  ...{ email: "ada@example.com", emailVerified: true },
};

let hook: TestHook;
beforeAll(async () => {
  hook = await startPasswordHook();
});
beforeEach(() => {
  hook.asked.length = 0;
});
afterAll(() => hook?.close());

function hookAt(url: string): PasswordHook {
  const { row } = createSigningKey(keyring, PASSWORD_HOOK_SEALED);
  return { orgId: "org", url, id: row.keyId, secret: row.secret, secretKey: row.secretKey };
}

const ask = (url: string, { timeoutMs = 60_000, signal = new AbortController().signal } = {}) => {
  const send = createOutboundFetch({ allowsPrivate: true, timeoutMs, maxBodyBytes: 1_024 });
  return askPasswordHook({ keyring, send, clock: () => new Date() }, hookAt(url), USER, "password", { signal });
};

test("a user without a subject and an external id has the id as subject", async () => {
  expect(await ask(hook.url)).toEqual({ kind: "wrong" });
  expect(hook.asked.at(-1)?.user).toEqual({
    ...{ id: "user", resourceOwner: "org", subject: "user", userName: "ada" },
    ...{ email: "ada@example.com", isEmailVerified: true },
  });
});

test("a password may have been checked if the hook does not respond in time, or the client has gone", async () => {
  hook.respond = () => new Promise(() => {});
  // On a busy machine, a short time can pass before the hook has the request.
  for (let timeoutMs = 200; hook.asked.length === 0; timeoutMs *= 2) {
    const late = await ask(hook.url, { timeoutMs });
    if (hook.asked.length > 0) expect(late).toMatchObject({ kind: "none", isChecked: true });
  }
  const controller = new AbortController();
  const asked = hook.asked.length;
  const answer = ask(hook.url, { signal: controller.signal });
  while (hook.asked.length === asked) await new Promise(setImmediate);
  controller.abort();
  expect(await answer).toMatchObject({ kind: "none", isChecked: true });
});

test("it has not been checked if no connection was established, or the hook says so", async () => {
  const refused = await ask(`http://127.0.0.1:${await freePort()}/`);
  expect(refused).toMatchObject({ kind: "none", reason: expect.stringContaining("ECONNREFUSED"), isChecked: false });
  // Accepts connections, but is no TLS server.
  const server = createNetServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await ask(`https://127.0.0.1:${port}/`)).toMatchObject({ kind: "none", isChecked: false });
  server.close();
  hook.respond = () => 503;
  expect(await ask(hook.url)).toEqual({ kind: "none", reason: "the response has the status 503", isChecked: false });
});
