import * as client from "openid-client";
import { importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createCaller } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { createTestApp } from "../support/oidc/apps.ts";
import { createRelyingParty, newBrowser, type RelyingParty, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

const ORIGIN = "https://app.example.com";

describe("the claim `metadata`", () => {
  let service: TestService;
  let app: RelyingParty;
  let userId: string;

  beforeAll(async () => {
    ({ service, app, userId } = await startProvider("postgres", {
      app: { metadata_claims: ["plan", "sub", "binary", "none"] },
    }));
    const values = {
      plan: Buffer.from("gold Ü \ufeff"),
      sub: Buffer.from("somebody else"),
      binary: Buffer.from([0xff, 0x00]),
      secret: Buffer.from("not chosen"),
    };
    await setMetadata(userId, values);
  });
  afterAll(() => service?.close());

  async function setMetadata(id: string, values: Readonly<Record<string, string | Buffer>>): Promise<void> {
    const caller = createCaller("rest", service, service.adminToken);
    const metadata = Object.entries(values).map(([key, value]) => ({
      key,
      value: Buffer.from(value).toString("base64"),
    }));
    expect(await caller.call("BulkSetUserMetadata", { id, metadata })).toMatchObject({ ok: true });
    caller.close();
  }

  const signInTo = (party: RelyingParty, parameters: Record<string, string>) =>
    signInAndRedeem(service, newBrowser(service), party, userId, parameters);

  /** The response of userinfo, which is the same from oidc-provider. */
  async function userinfo(token: string) {
    const ask = async (headers: Record<string, string>) => {
      const authorization = `Bearer ${token}`;
      return await (
        await fetch(`${service.origin}/oidc/v1/userinfo`, { headers: { authorization, ...headers } })
      ).json();
    };
    const [direct, provider] = [await ask({}), await ask({ origin: ORIGIN })];
    expect(direct).toEqual(provider);
    return direct;
  }

  /** A value that is not text is left out, and a key that is the name of a claim replaces nothing. */
  const CHOSEN = { plan: "gold Ü \ufeff", sub: "somebody else" };

  test("has the chosen values that are text, with the scope `profile`", async () => {
    const tokens = await signInTo(app, { scope: "openid profile" });
    const { sub, metadata } = await userinfo(tokens.access_token);
    expect([sub, metadata]).toEqual([userId, CHOSEN]);
    expect(tokens.claims()).toMatchObject({ sub: userId });
    expect(tokens.claims()).not.toHaveProperty("metadata");
    const introspected = await client.tokenIntrospection(app.configuration, tokens.access_token);
    expect(introspected).toMatchObject({ active: true });
    expect(introspected).not.toHaveProperty("metadata");
  });

  test("is in the ID token if it is requested there", async () => {
    const claims = JSON.stringify({ id_token: { metadata: null } });
    const idToken = (await signInTo(app, { scope: "openid", claims })).claims();
    expect([idToken?.sub, idToken?.metadata]).toEqual([userId, CHOSEN]);
  });

  test("is apart from the claims of the standard, which come from metadata with their names", async () => {
    const id = await importAda(service, VERIFIED);
    await setMetadata(id, {
      ...{ middle_name: "King", profile: "https://ada.example/", picture: "https://ada.example/a.png", plan: "gold" },
      ...{ website: "javascript:alert(1)", birthdate: "1815-12-10", zoneinfo: "Europe/London" },
      address: '{"locality":"London","country":"GB","floor":2}',
    });
    const scope = "openid profile address";
    const { access_token } = await signInAndRedeem(service, newBrowser(service), app, id, { scope });
    const claims = await userinfo(access_token);
    expect(claims).toMatchObject({
      ...{ middle_name: "King", profile: "https://ada.example/", picture: "https://ada.example/a.png" },
      ...{ birthdate: "1815-12-10", zoneinfo: "Europe/London", address: { locality: "London", country: "GB" } },
      metadata: { plan: "gold" },
    });
    expect(claims).not.toHaveProperty("website");
    expect(claims.address).not.toHaveProperty("floor");
    const asked = JSON.stringify({ id_token: { picture: null, address: null } });
    const idToken = (await signInAndRedeem(service, newBrowser(service), app, id, { claims: asked })).claims();
    expect(idToken).toMatchObject({ picture: "https://ada.example/a.png", address: { locality: "London" } });
  });

  test("is absent without the scope, and for other applications", async () => {
    const { access_token } = await signInTo(app, { scope: "openid" });
    expect(await userinfo(access_token)).toEqual({ sub: userId });
    const other = await createRelyingParty(service);
    const tokens = await signInTo(other, { scope: "openid profile" });
    expect(await userinfo(tokens.access_token)).not.toHaveProperty("metadata");
  });

  test("is empty for a user without the values", async () => {
    const party = await createRelyingParty(service, { metadata_claims: ["none"] });
    const { access_token } = await signInTo(party, { scope: "openid profile" });
    expect(await userinfo(access_token)).toHaveProperty("metadata", {});
  });

  test("is chosen by keys", async () => {
    const { appId } = await createTestApp(service, service.orgId);
    const caller = createCaller("grpc", service, service.adminToken);
    const updateMask = "metadataClaims";
    const patch = (metadataClaims: string[]) => () =>
      caller.call("PatchOIDCAppConfig", { appId, metadataClaims, updateMask });
    await expectError(
      service.db,
      "grpc",
      patch(["plan", " plan", "plan", "a\u200b", "a".repeat(201), ""]),
      "INVALID_ARGUMENT",
      [1, 2, 3, 4, 5].map((n) => `metadataClaims[${n}]`),
    );
    await expectError(service.db, "grpc", patch(Array.from({ length: 21 }, (_, n) => `${n}`)), "INVALID_ARGUMENT", [
      "metadataClaims",
    ]);
    expect(await patch(["plan", "crm/id"])()).toMatchObject({ ok: true });
    expect(await caller.call("GetAppByID", { appId })).toMatchObject({
      message: { app: { oidcConfig: { metadataClaims: ["plan", "crm/id"] } } },
    });
    const [event] = await service.db
      .selectFrom("events")
      .select("payload")
      .where("aggregate_id", "=", appId)
      .where("type", "=", "app.oidc.changed")
      .execute();
    expect(event?.payload).toMatchObject({ metadataClaims: ["plan", "crm/id"] });
    caller.close();
  });
});
