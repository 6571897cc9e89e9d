import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { addAuthenticator, describeInChromium, launchChromium } from "../support/browsers/chromium.ts";
import { toCose } from "../support/browsers/passkey-authenticator.ts";
import { type LocalhostProxy, startLocalhostProxy } from "../support/servers/localhost-proxy.ts";
import { runHere } from "../support/servers/run-here.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** A passkey that another system has registered for `localhost`. */
interface ForeignPasskey {
  readonly userId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly userHandle: Buffer;
  readonly counter: number;
}

const names = (userId: string) => ({ firstName: "Ada", lastName: "Lovelace", email: `${userId}@example.com` });

/** What each system exports about a user with a passkey. Supabase and Keycloak use the user's id as user handle. */
const EXPORTS: Readonly<Record<string, (passkey: ForeignPasskey) => object>> = {
  keycloak: ({ userId, credentialId, publicKey, counter }) => ({
    realm: "example",
    users: [
      {
        ...{ id: userId, username: userId, ...names(userId), emailVerified: true, enabled: true },
        credentials: [
          {
            type: "webauthn-passwordless",
            credentialData: JSON.stringify({
              ...{ aaguid: "00000000-0000-0000-0000-000000000000", counter },
              ...{
                credentialId: credentialId.toString("base64"),
                credentialPublicKey: publicKey.toString("base64url"),
              },
            }),
            secretData: "{}",
          },
        ],
      },
    ],
  }),
  kratos: ({ userId, credentialId, publicKey, userHandle, counter }) => [
    {
      ...{ id: userId, state: "active", traits: { email: `${userId}@example.com`, name: { first: "Ada", last: "L" } } },
      verifiable_addresses: [{ value: `${userId}@example.com`, verified: true, via: "email" }],
      credentials: {
        passkey: {
          config: {
            credentials: [
              {
                ...{ id: credentialId.toString("base64"), public_key: publicKey.toString("base64") },
                authenticator: { sign_count: counter },
                flags: { backup_eligible: true, backup_state: true },
              },
            ],
            user_handle: userHandle.toString("base64"),
          },
        },
      },
    },
  ],
  "better-auth": ({ userId, credentialId, publicKey, counter }) => [
    {
      ...{ id: userId, ...names(userId), emailVerified: true },
      passkeys: [
        {
          ...{ credentialID: credentialId.toString("base64url"), publicKey: publicKey.toString("base64"), counter },
          ...{ deviceType: "multiDevice", backedUp: true },
        },
      ],
    },
  ],
  supabase: ({ userId, credentialId, publicKey, counter }) => [
    {
      ...{ id: userId, email: `${userId}@example.com`, email_confirmed_at: "2026-01-01T00:00:00Z" },
      raw_user_meta_data: { first_name: "Ada", last_name: "Lovelace" },
      webauthn_credentials: [
        {
          ...{ credential_id: `\\x${credentialId.toString("hex")}`, public_key: `\\x${publicKey.toString("hex")}` },
          ...{ sign_count: counter, backup_eligible: true },
        },
      ],
    },
  ],
};

describeInChromium("a passkey of another system, in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "signet-moved-passkeys-"));
  const tokenFile = join(folder, "token");
  let proxy: LocalhostProxy;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    proxy = await startLocalhostProxy();
    service = await startService("postgres", { PUBLIC_URL: proxy.origin });
    proxy.target.port = service.port;
    writeFileSync(tokenFile, service.adminToken);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    proxy?.server.close();
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  async function importUser(source: string, passkey: ForeignPasskey): Promise<void> {
    const file = join(folder, `${source}.json`);
    writeFileSync(file, JSON.stringify(EXPORTS[source]?.(passkey)));
    const target = ["--url", service.origin, "--token-file", tokenFile, "--runs", join(folder, source)];
    const args = ["users", "import", file, "--from", source, "--rp-id", "localhost", ...target, "--yes"];
    const { code, stderr } = await runHere(args, {}, folder, "");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^ +1 {2}passkeys$/m) });
  }

  test.each(Object.keys(EXPORTS))(
    "signs in after an import from %s, with the user handle from there",
    async (source) => {
      const userId = `of-${source}`;
      const { privateKey, publicKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const isId = source === "keycloak" || source === "supabase";
      const passkey = {
        ...{ userId, credentialId: randomBytes(32), publicKey: toCose(key, -7), counter: 7 },
        userHandle: isId ? Buffer.from(userId) : randomBytes(64),
      };
      await importUser(source, passkey);

      const context = await browser.newContext();
      const page = await context.newPage();
      const { session, authenticatorId } = await addAuthenticator(page);
      await session.send("WebAuthn.addCredential", {
        authenticatorId,
        credential: {
          ...{ credentialId: passkey.credentialId.toString("base64"), rpId: "localhost", isResidentCredential: true },
          privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
          userHandle: passkey.userHandle.toString("base64"),
          ...{ signCount: passkey.counter, backupEligibility: true, backupState: true },
        },
      });
      await page.goto(`${proxy.origin}/ui/account`);
      await page.waitForURL(`${proxy.origin}/ui/account`);
      expect((await page.textContent("h1"))?.trim()).toBe("Your account");
      const stored = await service.db
        .selectFrom("passkeys")
        .innerJoin("users", "users.id", "passkeys.user_id")
        .select(["users.email", "passkeys.device_type", "passkeys.backed_up"])
        .where("passkeys.id", "=", passkey.credentialId.toString("base64url"))
        .executeTakeFirstOrThrow();
      expect(stored).toEqual({ email: `${userId}@example.com`, device_type: "multiDevice", backed_up: true });
      await context.close();
    },
  );
});
