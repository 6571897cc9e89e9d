import { createHash, randomBytes } from "node:crypto";
import { createPerson } from "../support/browsers/person.ts";
import { importAda, VERIFIED, VISITED } from "../support/browsers/visitor.ts";
import { createCaller } from "../support/clients/callers.ts";
import { createRelyingParty, newBrowser, signInAndRedeem } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const SCOPE = "openid urn:signet:api";
const ADA = { ...VERIFIED, password: PASSWORD };

describe("the account page", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    service.secret(PASSWORD);
  });
  afterAll(() => service?.close());

  test("has codes that cannot be redeemed", async () => {
    const userName = "ada";
    await importAda(service, { userName, ...ADA });
    const person = createPerson(service);
    const verifier = randomBytes(32).toString("base64url");
    const request = { client_id: "account", redirect_uri: `${service.config.publicUrl}/ui/account/signed-in` };
    const url = `/oauth/v2/authorize?${new URLSearchParams({
      ...request,
      response_type: "code",
      scope: "openid",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    })}`;
    await person.submit(await person.open(url), { username: userName, password: PASSWORD });
    const { location } = await person.browser.open(service.config.publicUrl + url);
    const code = new URL(location).searchParams.get("code") ?? "";
    expect(code).not.toBe("");
    const grant = { grant_type: "authorization_code", code, code_verifier: verifier };
    const body = new URLSearchParams({ ...request, ...grant });
    const response = await fetch(`${service.origin}/oauth/v2/token`, { method: "POST", body });
    expect(await response.json()).toMatchObject({ error: "invalid_client" });
  });

  test("has a client id that is not a UUID, with which a token for the RPCs is not valid", async () => {
    const app = await createRelyingParty(service, { api_access: true });
    const userId = await importAda(service, ADA);
    const { access_token } = await signInAndRedeem(service, newBrowser(service), app, userId, { scope: SCOPE });
    const caller = createCaller("rest", service, access_token);
    expect(await caller.call("ListUsers", {})).toMatchObject({ reason: "PERMISSION_DENIED" });
    await service.db.updateTable("oidc_artifacts").set({ client_id: "account" }).execute();
    expect(await caller.call("ListUsers", {})).toMatchObject({ reason: "TOKEN_INVALID" });
    caller.close();
  });
});
