import { createPerson, type Page } from "../../support/browsers/person.ts";
import { call, userOf, VISITED } from "../../support/browsers/visitor.ts";
import {
  chooseIdp,
  type OtherProviders,
  passProvider,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { until } from "../../support/until.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";

const FAILURE = "a sign-in with an identity provider failed";

let providers: OtherProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", VISITED);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

/** Expects a page for the user, a log line for the operator, and no sign-in. */
async function expectRefused(idp: { id: string; name: string }, page: Page, reason: string): Promise<void> {
  expect([page.status, page.title]).toEqual([502, `The sign-in with ${idp.name} failed`]);
  expect(page.text).toContain(">Back to the sign-in</a>");
  const line = service.logs.find((entry) => entry.msg === FAILURE && messageOf(entry).includes(idp.id));
  expect(line).toMatchObject({ level: 40, requestId: expect.any(String) });
  expect(messageOf(line)).toBe(`identity provider ${idp.id}: ${reason}`);
}

function messageOf(line: Record<string, unknown> | undefined): string {
  return String((line?.err as { message?: unknown } | undefined)?.message);
}

const REDEEM = "the code could not be redeemed";

describe("a response of the provider is rejected", () => {
  test.each([
    ["wrong-iss", `${REDEEM}: unexpected JWT claim value encountered: unexpected JWT "iss" (issuer) claim value`],
    ["wrong-aud", `${REDEEM}: unexpected JWT claim value encountered: unexpected JWT "aud" (audience) claim value`],
    ["wrong-nonce", `${REDEEM}: unexpected JWT claim value encountered: unexpected ID Token "nonce" claim value`],
    ["no-nonce", `${REDEEM}: invalid response encountered: JWT "nonce" (nonce) claim missing`],
    [
      "expired",
      `${REDEEM}: JWT timestamp claim value failed validation: unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp`,
    ],
    ["wrong-signature", "the ID token could not be verified: signature verification failed"],
    ["alg-none", `${REDEEM}: invalid response encountered: unexpected JWT "alg" header parameter`],
    ["alg-hs256", `${REDEEM}: invalid response encountered: unexpected JWT "alg" header parameter`],
    ["long-sub", "the claim sub must be 1 to 200 characters of valid Unicode"],
    ["redirect", `${REDEEM}: unexpected HTTP response status code`],
    ["huge", `${REDEEM}: something went wrong: the response has more than 65536 bytes`],
    ["silent", `${REDEEM}: something went wrong: 127.0.0.1 did not respond completely within 5000 ms`],
  ])(
    "%s",
    async (variant, reason) => {
      const { idp, userId } = await scene.newLinkedUser(undefined, { variant });
      const { sequence } = await userOf(service, userId);
      const { person, page } = await scene.open();
      await expectRefused(idp, await signInAtIdp(person, page, idp), reason);
      expect((await userOf(service, userId)).sequence).toBe(sequence);
    },
    15_000,
  );

  test("the userinfo endpoint fails for an unknown external user", async () => {
    const idp = await scene.newIdp({
      variant: "down-userinfo",
      fields: { autoRegister: true },
      account: { sub: "new" },
    });
    const { person, page } = await scene.open();
    const reason = "the userinfo endpoint could not be used: it responds with status 503 instead of 200";
    await expectRefused(idp, await signInAtIdp(person, page, idp), reason);
  });
});

describe("a callback is rejected", () => {
  test.each([
    [
      "with another issuer (RFC 9207)",
      (url: URL) => url.searchParams.set("iss", "https://attacker.example.com"),
      `${REDEEM}: invalid response encountered: unexpected "iss" (issuer) response parameter value`,
    ],
    [
      "without the issuer that the provider promises",
      (url: URL) => url.searchParams.delete("iss"),
      `${REDEEM}: invalid response encountered: response parameter "iss" (issuer) missing`,
    ],
    [
      "with two codes",
      (url: URL) => url.searchParams.append("code", "another"),
      `${REDEEM}: invalid response encountered: "code" parameter must be provided only once`,
    ],
    [
      "with a code that the provider does not know",
      (url: URL) => url.searchParams.set("code", "unknown"),
      `${REDEEM}: server responded with an error in the response body ("invalid_grant", "grant request is invalid")`,
    ],
    [
      "with an error",
      (url: URL) => {
        url.searchParams.delete("code");
        url.searchParams.set("error", "server_error");
      },
      'the provider responded with an error ("server_error")',
    ],
  ])("%s", async (_, change, reason) => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    change(callback);
    await expectRefused(idp, await person.open(callback), reason);
  });

  test("with the code of another user, because its verifier is unknown", async () => {
    const { idp, userId } = await scene.newLinkedUser();
    const victim = await scene.open();
    const stolen = await passProvider(await chooseIdp(victim.person, victim.page, idp));
    const attacker = await scene.open();
    const callback = await passProvider(await chooseIdp(attacker.person, attacker.page, idp));
    callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    const { sequence } = await userOf(service, userId);
    const page = await attacker.person.open(callback);
    await expectRefused(
      idp,
      page,
      `${REDEEM}: server responded with an error in the response body ("invalid_grant", "grant request is invalid")`,
    );
    expect((await userOf(service, userId)).sequence).toBe(sequence);
  });

  test("at the address of another provider (mix-up)", async () => {
    const { idp } = await scene.newLinkedUser();
    const other = await scene.newIdp();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    const wrong = new URL(String(callback).replace(idp.id, other.id));
    const refused = await person.open(wrong);
    expect([refused.status, refused.title]).toEqual([410, "This sign-in has ended"]);
    expect(isDone(await person.open(callback))).toBe(true);
  });

  test.each(["", "?state=x", "?state=abcdefghijkl.x&code=y", "?code=y"])("without an attempt: %s", async (query) => {
    const { id } = await scene.newIdp();
    const ended = await createPerson(service).open(`/ui/idps/${id}/callback${query}`);
    expect([ended.status, ended.title]).toEqual([410, "This sign-in has ended"]);
  });

  test("if the provider was deactivated in the meantime", async () => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    await call(service, "DeactivateIDP", { idpId: idp.id });
    const refused = await person.open(callback);
    expect([refused.status, refused.alert]).toEqual([422, "This service can no longer be used to sign in."]);
  });
});

describe("the page says what is wrong, and the log why:", () => {
  const UNREACHABLE = "cannot be reached at the moment. Please try again later, or try another way to sign in.";
  const logged = ({ id }: { id: string }) => {
    const line = service.logs.findLast((entry) => entry.msg === FAILURE && messageOf(entry).includes(id));
    return messageOf(line).replace(`identity provider ${id}: `, "");
  };

  test("the provider cannot be reached", async () => {
    const idp = await scene.newIdp({ variant: "down-metadata" });
    const { person, page } = await scene.open();
    expect((await chooseIdp(person, page, idp)).text).toContain(`<p>${idp.name} ${UNREACHABLE}</p>`);
    const closed = await scene.newIdp({ fields: { issuer: "http://127.0.0.1:1" } });
    const again = await scene.open();
    expect((await chooseIdp(again.person, again.page, closed)).text).toContain(`<p>${closed.name} ${UNREACHABLE}</p>`);
  });

  test.each([
    [
      "en",
      "The connection to NAME is not set up correctly. Please ask your administrator, or try another way to sign in.",
    ],
    [
      "de",
      "Die Verbindung zu NAME ist nicht richtig eingerichtet. Bitte wenden Sie sich an Ihren Administrator oder melden Sie sich auf andere Weise an.",
    ],
    [
      "fr",
      "La connexion avec NAME n’est pas configurée correctement. Veuillez contacter votre administrateur ou vous connecter d’une autre manière.",
    ],
    [
      "es",
      "La conexión con NAME no está configurada correctamente. Póngase en contacto con su administrador o inicie sesión de otra forma.",
    ],
  ])("the provider refuses the client secret (%s)", async (language, text) => {
    const { idp } = await scene.newLinkedUser();
    const redirect_uris = [`${service.config.publicUrl}/ui/idps/${idp.id}/callback`];
    await idp.behave({ clients: [{ client_id: `signet-${idp.name}`, client_secret: "another", redirect_uris }] });
    const { person, page } = await scene.open({ parameters: { ui_locales: language } });
    const refused = await signInAtIdp(person, page, idp);
    expect([refused.status, refused.text]).toEqual([502, expect.stringContaining(text.replace("NAME", idp.name))]);
    expect(logged(idp)).toBe(
      `${REDEEM}: server responded with an error in the response body ("invalid_client", "client authentication failed")`,
    );
  });

  test("the response cannot be verified", async () => {
    const { idp } = await scene.newLinkedUser(undefined, { variant: "wrong-aud" });
    const { person, page } = await scene.open();
    expect((await signInAtIdp(person, page, idp)).text).toContain(
      `<p>The response from ${idp.name} could not be verified. Please try again, or try another way to sign in.</p>`,
    );
  });

  test("a description is logged without its end, control characters and secrets", async () => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    callback.searchParams.delete("code");
    callback.searchParams.set("error", "temporarily_unavailable");
    const description = `a\r\n\u001b[31mb\u2028c client-secret-of-${idp.name} ${"x".repeat(1_000)}`;
    callback.searchParams.set("error_description", description);
    expect((await person.open(callback)).text).toContain(`<p>${idp.name} ${UNREACHABLE}</p>`);
    const start = "a   [31mb c [secret] ";
    expect(logged(idp)).toBe(
      `the provider responded with an error ("temporarily_unavailable", "${start}${"x".repeat(200 - start.length)}")`,
    );
  });
});

describe("metadata is rejected before the browser is redirected,", () => {
  const at = (path: string) => `http://169.254.169.254/${path}`;

  test.each([
    [
      "with another issuer",
      { variant: "metadata-issuer" },
      /^issuer: the metadata has the issuer ".*", which does not exactly match the configured one$/,
    ],
    ["that redirect", { variant: "redirect-metadata" }, /responds with status 302 instead of 200$/],
    ["that are huge", { variant: "huge-metadata" }, /cannot be loaded: the response has more than 65536 bytes$/],
    ["of a provider that is down", { variant: "down-metadata" }, /responds with status 503 instead of 200$/],
    ["without an endpoint", { metadata: { token_endpoint: null } }, /^the metadata is invalid at token_endpoint: /],
    [
      "with an endpoint that is a script",
      { metadata: { authorization_endpoint: "javascript:alert(1)" } },
      /^authorization_endpoint: "javascript:alert\(1\)" is not an https URL$/,
    ],
    [
      "with an endpoint that has a password",
      { metadata: { token_endpoint: "https://a:b@example.com/" } },
      /^token_endpoint: has a user name or password$/,
    ],
    [
      "without a method of authentication",
      { metadata: { token_endpoint_auth_methods_supported: ["private_key_jwt"] } },
      /^token_endpoint_auth_methods_supported: /,
    ],
    [
      "without a signature",
      { metadata: { id_token_signing_alg_values_supported: ["none", "HS256"] } },
      /^id_token_signing_alg_values_supported: /,
    ],
  ])(
    "%s",
    async (_, options, reason) => {
      const idp = await scene.newIdp(options);
      const { person, page } = await scene.open();
      const refused = await chooseIdp(person, page, idp);
      const line = service.logs.findLast(({ msg }) => msg === FAILURE);
      const prefix = `identity provider ${idp.id}: `;
      const message = messageOf(line);
      expect(message.slice(0, prefix.length)).toBe(prefix);
      expect(message.slice(prefix.length)).toMatch(reason);
      expect(refused.status).toBe(502);
    },
    15_000,
  );

  test.each(["token_endpoint", "jwks_uri", "userinfo_endpoint"])("%s of an instance may be anywhere", async (name) => {
    // The provider belongs to the instance: the request is sent, and fails for another reason.
    const idp = await scene.newIdp({ metadata: { [name]: at(name) }, fields: { autoRegister: true } });
    const { person, page } = await scene.open();
    expect((await chooseIdp(person, page, idp)).url.origin).toBe(providers.origin);
  });
});

describe("an organization's provider", () => {
  test.each([
    ["127.0.0.1", "http://127.0.0.1:1"],
    ["localhost", "http://localhost:1"],
    ["IPv6", "http://[::1]:1"],
    ["a private address", "https://10.0.0.1"],
    ["the metadata of a cloud", "https://169.254.169.254"],
    ["a mapped address", "https://[::ffff:127.0.0.1]"],
  ])("must not be at %s", async (_, issuer) => {
    const idp = await scene.newIdp({ orgId: service.orgId, fields: { issuer } });
    const { person, page } = await scene.open();
    const refused = await chooseIdp(person, page, idp);
    const { hostname } = new URL(issuer);
    const host = hostname.replace(/^\[|\]$/g, "");
    await expectRefused(
      idp,
      refused,
      `${issuer}/.well-known/openid-configuration cannot be loaded: ${host} has an address that is not public`,
    );
  });

  test("may be there with IDP_ALLOW_PRIVATE_NETWORKS", async () => {
    const open = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
    try {
      const others = createIdpScene(open, await createRelyingParty(open), providers);
      const { idp } = await others.newLinkedUser(undefined, { orgId: open.orgId });
      const { person, page } = await others.open();
      expect(isDone(await signInAtIdp(person, page, idp))).toBe(true);
    } finally {
      await open.close();
    }
  });
});

/** The page offers 50 providers by name, and the tests above have added almost as many. */
const OFFERED = { name: "a provider at the top" };

test("an unreachable provider is requested once in ten seconds, and does not slow down others", async () => {
  service.stopClock();
  const { idp: honest } = await scene.newLinkedUser(undefined, { fields: OFFERED });

  /** Chooses an unreachable provider. Undefined if the request has failed before another person has signed in. */
  async function chooseSilent() {
    const idp = await scene.newIdp({ variant: "silent-metadata", fields: OFFERED });
    const first = await scene.open();
    let isWaiting = true;
    const waiting = chooseIdp(first.person, first.page, idp).finally(() => {
      isWaiting = false;
    });
    const { person, page } = await scene.open();
    expect(isDone(await signInAtIdp(person, page, honest))).toBe(true);
    return isWaiting ? { idp, first, waiting } : undefined;
  }
  // On a busy machine, a sign-in can take longer than the request, but not each time.
  const { idp, first, waiting } = await until("a sign-in overtakes the request", chooseSilent);
  const url = `${idp.issuer}/.well-known/openid-configuration`;
  const reason = `${url} cannot be loaded: 127.0.0.1 did not respond completely within 5000 ms`;
  await expectRefused(idp, await waiting, reason);
  // The provider has recovered, but the failure is still cached.
  await idp.behave({ variant: "honest" });
  const again = await first.person.open(createRequest(app).url);
  expect((await chooseIdp(first.person, again, idp)).status).toBe(502);
  service.clockOffsetMs += 10_000;
  expect((await chooseIdp(first.person, again, idp)).url.origin).toBe(providers.origin);
});

test("a changed configuration is used immediately", async () => {
  const idp = await scene.newIdp({ variant: "down-metadata", fields: OFFERED });
  const { person, page } = await scene.open();
  expect((await chooseIdp(person, page, idp)).status).toBe(502);
  await idp.behave({ variant: "honest" });
  const fields = { clientId: "changed", issuer: idp.issuer, scopes: ["email"] };
  await call(service, "UpdateIDPOIDCConfig", { idpId: idp.id, ...fields });
  const { url } = await chooseIdp(person, page, idp);
  expect([url.searchParams.get("client_id"), url.searchParams.get("scope")]).toEqual(["changed", "openid email"]);
});
