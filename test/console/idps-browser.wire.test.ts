import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { KIND_NAMES, KINDS } from "../../console/screens/idps/kinds.ts";
import { ProviderType } from "../../gen/signet/v1/provider_pb.js";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call } from "../support/browsers/visitor.ts";
import { type Issuer, startIssuer } from "../support/oidc/issuer.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { ORIGIN, openScene, picture, SAVE, type Scene } from "./console-scene.ts";

const SECRET = "a secret of the provider";
const METADATA = readFileSync("examples/saml-metadata.xml", "utf8");

describeInChromium("the providers in the console, in Chromium", () => {
  let scene: Scene;
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await startIssuer();
    scene = await openScene();
    scene.service.secret(SECRET);
  });
  afterAll(async () => {
    await scene?.close();
    await issuer?.close();
  });

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const addGoogle = async () => {
    const fields = { name: "Google", clientId: "x", clientSecret: SECRET };
    return String((await call(scene.service, "AddGoogleProvider", fields)).id);
  };
  const addDraft = async (kind: keyof typeof KINDS) => {
    const fields = { name: KINDS[kind].name || "Example", type: `PROVIDER_TYPE_${ProviderType[KINDS[kind].type]}` };
    return String((await call(scene.service, "AddProviderDraft", fields)).id);
  };
  const idpOf = (id: string) =>
    scene.service.db.selectFrom("idps").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const open = async (path: string, role: "ORG_OWNER" | "ORG_VIEWER" | "INSTANCE_OWNER" = "ORG_OWNER") =>
    await scene.signIn({ role, path: path.startsWith("/") ? path : `/orgs/${scene.service.orgId}/${path}` });

  test.each(SCREENS)("the pages are accessible and fit: %s, %s", async (...screen) => {
    const id = await addGoogle();
    const drafts = await Promise.all(KIND_NAMES.map(async (kind) => [kind, await addDraft(kind)] as const));
    const path = `/orgs/${scene.service.orgId}/idps`;
    const found = await lookAt(scene, screen, "INSTANCE_OWNER", [
      ["idps", path, "tbody a"],
      ["new-idp", `${path}/new`, ".cards a"],
      ["new-idp-google", `${path}/new?kind=google`, "main form"],
      ...drafts.map(([kind, draftId]) => [`new-idp-${kind}-page`, `${path}/${draftId}`, "main form"] as const),
      ["idp", `${path}/${id}`, "main form"],
      ["instance-idps", "/idps", "main h1"],
    ]);
    expect(found).toEqual([]);
  });

  /** What is entered for each kind, and what is stored then. */
  const ENTERED: Readonly<Record<keyof typeof KINDS, Readonly<Record<string, string>>>> = {
    google: {},
    microsoft: {},
    apple: {
      "Team id": "ABCDE12345",
      "Key id": "12345ABCDE",
      "Private key": generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
        type: "pkcs8",
        format: "pem",
      }) as string,
    },
    github: {},
    githubServer: {
      "Authorization endpoint": "https://github.example.com/login/oauth/authorize",
      "Token endpoint": "https://github.example.com/login/oauth/access_token",
      "User endpoint": "https://github.example.com/api/v3/user",
    },
    gitlab: {},
    gitlabServer: { Issuer: "https://gitlab.example.com" },
    oidc: { Name: "Example", Issuer: "https://login.example.com" },
    oauth: {
      Name: "Example",
      "Authorization endpoint": "https://login.example.com/authorize",
      "Token endpoint": "https://login.example.com/token",
      "User endpoint": "https://login.example.com/user",
      "Member with the id of the user": "id",
    },
    saml: { Name: "Example", "Metadata (XML)": METADATA },
  };

  test.each(KIND_NAMES)(
    "a provider of the kind %s is set up: its URLs, its settings, a test, the offer",
    async (kind) => {
      const { page, problems, close } = await open("idps/new");
      await page.locator(".cards a").nth(KIND_NAMES.indexOf(kind)).click();
      await page.waitForURL(new RegExp(`kind=${kind}$`));
      const { Name: name = KINDS[kind].name, ...entered } = ENTERED[kind];
      await field(page, "Name").fill(name);
      await page.click("form >> text=Add a provider");
      await page.waitForURL(/idps\/[0-9a-f-]{36}$/);
      const [, id = ""] = /idps\/(.+)$/.exec(page.url()) ?? [];
      await page.waitForSelector(`code >> text=${ORIGIN}/ui/idps/${id}/${kind === "saml" ? "saml/acs" : "callback"}`);
      // It is not offered until its owner says so.
      expect(await idpOf(id)).toMatchObject({ owner_id: scene.service.orgId, state: "inactive" });
      expect(await page.locator("main h2").allTextContents()).toEqual([
        ...["1. URLs for the provider", "2. Settings", "3. Test", "4. Offer it"],
      ]);
      expect(await page.locator("text=Save the settings first.").count()).toBe(2);
      if (kind !== "saml") await field(page, "Client id").fill("client-1");
      if (kind !== "saml" && kind !== "apple") await field(page, "Client secret").fill(SECRET);
      for (const [label, text] of Object.entries(entered)) await field(page, label).fill(text);
      const isTrustable = kind === "oidc" || kind === "saml";
      if (isTrustable) await field(page, "Trust its addresses").check();
      await page.click(SAVE);
      await page.waitForSelector("text=Test the sign-in");
      const { idp } = await call(scene.service, "GetProviderByID", { id });
      expect(idp).toMatchObject({
        name: KINDS[kind].name || "Example",
        config: {
          options: { isLinkingAllowed: true, isCreationAllowed: true, ...(isTrustable && { trustEmail: true }) },
        },
      });
      // What was stored is shown again, and nothing differs.
      expect(await page.locator(SAVE).count()).toBe(0);
      await page.click("text=Offer it on the sign-in page");
      await page.waitForSelector(".announcement >> text=The sign-in page offers");
      await page.waitForSelector("main dl .state.good");
      expect((await idpOf(id)).state).toBe("active");
      expect(problems).toEqual([]);
      await close();
    },
  );

  test("settings are changed without the secret, which is kept", async () => {
    const id = await addGoogle();
    const { page, close } = await open(`idps/${id}`);
    const before = await idpOf(id);
    await field(page, "Name").fill("Google Workspace");
    await page.check("text=Register without a form");
    await page.click(SAVE);
    await page.waitForSelector("h1 >> text=Google Workspace");
    expect(await idpOf(id)).toMatchObject({ name: "Google Workspace", client_secret: before.client_secret });
    const { idp } = await call(scene.service, "GetProviderByID", { id });
    // An option that needs another one has turned it on.
    expect(idp).toMatchObject({ config: { options: { isAutoCreation: true, isCreationAllowed: true } } });
    await close();
  });

  test("the claim by which users of Microsoft are linked is shown and changed", async () => {
    const claim = { userIdAttribute: "AZURE_AD_USER_ID_ATTRIBUTE_SUB" };
    const fields = { name: "Microsoft", clientId: "x", clientSecret: SECRET, ...claim };
    const id = String((await call(scene.service, "AddAzureADProvider", fields)).id);
    const { page, close } = await open(`idps/${id}`);
    expect(await field(page, "Users are linked by").inputValue()).toBe("0");
    await field(page, "Users are linked by").selectOption("Object id and tenant (oid)");
    await page.click(SAVE);
    await page.waitForSelector(SAVE, { state: "detached" });
    expect((await call(scene.service, "GetProviderByID", { id })).idp).toMatchObject({
      config: { azureAd: { userIdAttribute: "AZURE_AD_USER_ID_ATTRIBUTE_OID" } },
    });
    await close();
  });

  test("an error of the API is at its field", async () => {
    const { page, close } = await open(`idps/${await addDraft("oidc")}`);
    await field(page, "Issuer").fill("http://login.example.com");
    await field(page, "Client id").fill("x");
    await field(page, "Client secret").fill(SECRET);
    await page.click(SAVE);
    await page.waitForSelector(".field:has-text('Issuer') .error");
    expect(await field(page, "Issuer").getAttribute("aria-invalid")).toBe("true");
    await close();
  });

  test("a form does not overwrite what somebody else has changed in the meantime", async () => {
    const id = await addGoogle();
    const { page, close } = await open(`idps/${id}`);
    await field(page, "Name").fill("Mine");
    await call(scene.service, "UpdateGoogleProvider", { id, name: "Theirs", clientId: "y" });
    await page.click(SAVE);
    await page.waitForSelector("[role=alert] >> text=Somebody else has changed this");
    expect((await idpOf(id)).name).toBe("Theirs");
    await close();
  });

  test("the kind of a new provider is chosen again", async () => {
    const { page, close } = await open("idps/new?kind=google");
    await page.click("form >> text=Back");
    await page.waitForSelector(".cards");
    await close();
  });

  test("a provider is deactivated, offered again and removed", async () => {
    const id = await addGoogle();
    const { page, close } = await open(`idps/${id}`);
    const act = async (label: string) => {
      await page.click(`main > .buttons >> text="${label}"`);
      await page.click(`dialog .buttons >> text="${label}"`);
      await page.waitForSelector("dialog", { state: "detached" });
    };
    await act("Deactivate");
    await page.click("text=Offer it on the sign-in page", { trial: true });
    expect((await idpOf(id)).state).toBe("inactive");
    await page.click("text=Offer it on the sign-in page");
    await page.waitForSelector("main > .buttons > button >> text=Deactivate");
    await act("Remove");
    await page.waitForURL(/\/idps$/);
    expect(await scene.service.db.selectFrom("idps").select("id").where("id", "=", id).execute()).toEqual([]);
    await close();
  });

  test("a provider of the instance is added there, and organizations see it without changing it", async () => {
    const { page, close } = await open("/idps", "INSTANCE_OWNER");
    await page.click("text=Add a provider");
    await page.click(".cards >> text=GitLab.com");
    await page.click("form >> text=Add a provider");
    await page.waitForURL(/\/console\/idps\/[0-9a-f-]{36}$/);
    const [, id = ""] = /idps\/(.+)$/.exec(page.url()) ?? [];
    expect((await idpOf(id)).owner_id).toBe(scene.service.instanceId);
    await close();
    // The newest one is on the last page, after those of the other tests.
    const { details } = await call(scene.service, "ListProviders", {});
    const count = Number((details as { totalResult: string }).totalResult);
    const owner = await open(`idps?page=${Math.ceil(count / 50)}`);
    await owner.page.waitForSelector(`tbody tr:has-text("${id}") >> text=Instance`);
    expect(await owner.page.locator(`tbody tr:has-text("${id}") a`).count()).toBe(0);
    expect(await owner.page.locator("text=Providers of the instance").count()).toBe(0);
    await owner.close();
  });

  const addOidc = async (rpc: "AddGenericOIDCProvider" | "AdminService.AddGenericOIDCProvider") => {
    issuer.publish();
    const fields = { name: "Corp", issuer: issuer.issuer, clientId: "x", clientSecret: SECRET };
    return String((await call(scene.service, rpc, { ...fields, scopes: ["openid", "groups"] })).id);
  };

  test("a provider is tested, and the page shows what came and what is wrong", async () => {
    const id = await addOidc("AdminService.AddGenericOIDCProvider");
    const { page, problems, elsewhere, close } = await open(`/idps/${id}`, "INSTANCE_OWNER");
    const section = page.locator("section:has(> h2:text-is('Test'))");
    await section.locator("text=Test the provider").click();
    await section.locator(".notice.good >> text=No problems were found.").waitFor();
    const [tab] = await Promise.all([page.waitForEvent("popup"), section.locator("text=Test the sign-in").click()]);
    await tab.waitForSelector("h1 >> text=Test sign-in with Corp");
    await picture(tab, "provider-test");
    await tab.close();
    for (const path of ["authorize", "token", "keys", "me"]) {
      await section.locator(`dd code:text-is("${issuer.issuer}/${path}")`).waitFor();
    }
    await section.locator("dd:text-is('openid email')").waitFor();
    await section.locator("li >> text=scopes: the provider does not list groups").waitFor();
    await section.locator(`code:text-is("${ORIGIN}/ui/idps/${id}/callback")`).waitFor();
    await picture(page, "console-idp-tested");
    issuer.publish({ issuer: "https://other.example.com" });
    await section.locator("text=Test the provider").click();
    await section.locator(".notice.bad >> text=Users cannot sign in with this provider.").waitFor();
    await section.locator("li >> text=which does not exactly match the configured one").waitFor();
    // A change makes the findings old.
    await field(page, "Name").fill("Corporation");
    await page.click(SAVE);
    await page.waitForSelector("h1 >> text=Corporation");
    expect(await section.locator(".notice").count()).toBe(0);
    expect([...problems, ...elsewhere]).toEqual([]);
    await close();
  });

  test("the findings are accessible and fit a narrow dark page in German", async () => {
    const id = await addOidc("AdminService.AddGenericOIDCProvider");
    const { page, close } = await scene.signIn({
      role: "INSTANCE_OWNER",
      path: `/idps/${id}`,
      ...{ locale: "de-DE", colorScheme: "dark", viewport: { width: 360, height: 800 } },
    });
    await page.click("text=Anbieter prüfen");
    await page.waitForSelector(".notice.good >> text=Es wurden keine Probleme gefunden.");
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await picture(page, "console-idp-tested-narrow-dark");
    await close();
  });

  test("a provider of the organization is reached at public addresses only", async () => {
    const { page, close } = await open(`idps/${await addOidc("AddGenericOIDCProvider")}`);
    await page.click("text=Test the provider");
    await page.waitForSelector(".notice.bad li >> text=has an address that is not public");
    expect(issuer.requested).toEqual([]);
    await close();
  });

  test("an organization does not test a provider of the instance", async () => {
    const { page, close } = await open(`idps/${await addOidc("AdminService.AddGenericOIDCProvider")}`);
    await page.waitForSelector("main form");
    expect(await page.locator("text=Test the provider").count()).toBe(0);
    await close();
  });

  test("a viewer sees the provider, and can change nothing", async () => {
    const { page, close } = await open(`idps/${await addGoogle()}`, "ORG_VIEWER");
    await page.waitForSelector("main form");
    expect(await field(page, "Client id").getAttribute("readonly")).not.toBeNull();
    expect(await page.locator("main form button, main > .buttons button").count()).toBe(0);
    expect(await page.locator("text=Test the provider").count()).toBe(0);
    await close();
  });
});
