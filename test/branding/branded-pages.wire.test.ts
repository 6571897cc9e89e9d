import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import PostalMime from "postal-mime";
import { createPng, createSvg, PNG, SVG } from "../support/branding.ts";
import { createPerson } from "../support/browsers/person.ts";
import { importAda, lastReceived, VISITED } from "../support/browsers/visitor.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const SETTINGS = {
  primaryColor: "#0f766e",
  name: "Acme <Shop>",
  supportAddress: "help+1@example.com",
  termsUrl: "https://example.com/terms?a=1&b=2",
};
/** Longer than brandings are remembered. */
const LATER_MS = 6_000;

let service: TestService;
let caller: Caller;
let app: RelyingParty;
let otherApp: RelyingParty;
let otherOrg: string;

beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.stopClock();
  caller = createCaller("rest", service, service.adminToken);
  app = await createRelyingParty(service);
  otherOrg = await service.createOrg("Other");
  otherApp = await createRelyingParty(service, { owner_id: otherOrg });
});
afterEach(() => {
  service.clockOffsetMs += LATER_MS;
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const send = async (rpc: Rpc, request: JsonObject = {}, headers = {}): Promise<JsonObject> => {
  const outcome = await caller.call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};
const openSignIn = async (party = app) => (await createPerson(service).open(createRequest(party).url)).text;
const fetchFile = (path: string, init: RequestInit = {}) => fetch(service.origin + path, init);

test("pages without branding show Signet", async () => {
  const text = await openSignIn();
  expect(text).toContain("</svg>Signet</p>");
  expect(text).not.toContain("/ui/brand/");
  expect(text).not.toContain("<footer>");
});

describe("an organization without a name in its branding", () => {
  const LONG = "Grand & Hotel ".repeat(6).trim();

  test("has its registered name on pages, cut if it is long, and nothing of Signet beside it", async () => {
    const orgId = await service.createOrg(LONG);
    const text = await openSignIn(await createRelyingParty(service, { owner_id: orgId, name: "Portal" }));
    const cut = `${LONG.slice(0, 60).trimEnd()}…`.replaceAll("&", "&amp;");
    expect(text).toContain(`<title>Sign in to Portal · ${cut}</title>`);
    expect(text).toContain(`<p class="brand">${cut}</p>`);
    expect(text.replace("<span>Secured by Signet</span>", "")).not.toMatch(/Signet|\/ui\/icon/);
  });

  test("has the name once on the sign-in page, and in the sign-in to the account page", async () => {
    expect((await openSignIn(otherApp)).match(/>Other</g)).toHaveLength(1);
    const { title, text } = await createPerson(service).open(`/ui/account?org=${otherOrg}`);
    expect([title, text]).toEqual(["Sign in to Other", expect.stringContaining('<p class="brand">Other</p>')]);
  });

  test("has it in the invitation", async () => {
    const orgId = await service.createOrg("Blue Bank");
    const profile = { firstName: "Grace", lastName: "Hopper" };
    const request = { userName: "grace", profile, email: { email: "grace@example.com" } };
    await send("ImportHumanUser", request, { "x-service-orgid": orgId });
    await service.delivery.deliverDue();
    const folder = join(service.config.dataDir, "mail");
    const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    const sent = mails.filter((mail) => mail.includes("grace@example.com"));
    expect(sent).toEqual([
      expect.stringMatching(/Blue Bank\r\n\r\nHello Grace Hopper,\r\n\r\nBlue Bank has created an account/),
    ]);
  });

  test("has it in the browser's question about a passkey", async () => {
    const orgId = await service.createOrg("Red Bank");
    const user = {
      userName: "ada",
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: "ada@example.com" },
    };
    const request = { ...user, requestPasswordlessRegistration: true };
    const { passwordlessRegistration } = await send("ImportHumanUser", request, { "x-service-orgid": orgId });
    const { link } = passwordlessRegistration as { link: string };
    const body = JSON.stringify({ code: new URL(link).searchParams.get("code") });
    const headers = {
      "content-type": "application/json",
      origin: service.config.publicUrl,
      "sec-fetch-site": "same-origin",
    };
    const response = await fetchFile("/ui/passkey/options", { method: "POST", headers, body });
    expect(await response.json()).toMatchObject({ rp: { name: "Red Bank" } });
  });

  test("shows its logo without Signet", async () => {
    const orgId = await service.createOrg("Logo");
    const headers = { "x-service-orgid": orgId };
    await send("AddCustomLabelPolicy", {}, headers);
    await send(
      "UploadCustomLabelPolicyImage",
      { image: "LABEL_POLICY_IMAGE_LOGO", data: PNG.toString("base64") },
      headers,
    );
    const { previewUrl } = (await send("GetPreviewLabelPolicy", {}, headers)) as { previewUrl: string };
    const { pathname, search } = new URL(previewUrl);
    expect(await (await fetchFile(pathname + search)).text()).toContain('alt="Logo"');
    await send("ActivateCustomLabelPolicy", {}, headers);
    const text = await openSignIn(await createRelyingParty(service, { owner_id: orgId }));
    expect(text).toContain('alt="Logo"');
    expect(text).toContain(" · Logo</title>");

    const profile = { firstName: "Joan", lastName: "Clarke" };
    await send("ImportHumanUser", { userName: "joan", profile, email: { email: "joan@example.com" } }, headers);
    await service.delivery.deliverDue();
    const folder = join(service.config.dataDir, "mail");
    const mails = await Promise.all(
      readdirSync(folder).map((file) => PostalMime.parse(readFileSync(join(folder, file)))),
    );
    const mail = mails.find(({ to }) => to?.[0]?.address === "joan@example.com");
    const [logo, ...others] = mail?.attachments ?? [];
    expect([logo?.mimeType, logo?.disposition, others]).toEqual(["image/png", "inline", []]);
    expect(Buffer.from(logo?.content as ArrayBuffer).equals(PNG)).toBe(true);
    expect(mail?.html).toContain(`<img src="cid:${logo?.contentId?.slice(1, -1)}" alt="Logo"`);
    expect(mail?.text).toMatch(/^Logo\n/);
  });
});

test("a preview shows the branding before it is active, and nothing on it can be used", async () => {
  await send("AddCustomLabelPolicy", SETTINGS);
  await send("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_LOGO", data: PNG.toString("base64") });
  expect(await openSignIn()).toContain("</svg>Signet</p>");

  const { previewUrl } = (await send("GetPreviewLabelPolicy")) as { previewUrl: string };
  const { pathname, search } = new URL(previewUrl);
  const preview = await fetchFile(pathname + search);
  const text = await preview.text();
  expect(text).toContain("<div inert>");
  expect(text).toContain('alt="Acme &lt;Shop&gt;"');
  expect(text).not.toContain("<script");
  expect(Object.fromEntries(preview.headers)).toMatchObject({
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
    // Only the console frames it.
    "content-security-policy":
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; " +
      "frame-ancestors 'self'; sandbox allow-same-origin",
  });
  expect(preview.headers.get("set-cookie")).toBeNull();

  for (const other of ["", "?link=", `?link=${"x".repeat(200)}`, search.slice(0, -2), search.replace(/.$/, "~")]) {
    expect([other, (await fetchFile(pathname + other)).status]).toEqual([other, 404]);
  }
  service.clockOffsetMs += 3_601_000;
  expect((await fetchFile(pathname + search)).status).toBe(404);
});

test("a preview shows what is saved and nothing from its URL, also what users see, in light or in dark", async () => {
  const headers = { "x-service-orgid": await service.createOrg("Grey Bank") };
  await send("AddCustomLabelPolicy", { primaryColor: "#0f766e", primaryColorDark: "#5eead4", name: "Draft" }, headers);
  await send("AddCustomLoginPolicy", { allowUsernamePassword: true, hidePasswordReset: true }, headers);
  const { previewUrl } = (await send("GetPreviewLabelPolicy", {}, headers)) as { previewUrl: string };
  const { pathname, search } = new URL(previewUrl);
  const open = async (query: string) => (await fetchFile(pathname + search + query)).text();
  const text = await open(
    "&name=Fake&app=Fake&login_hint=Fake&error=Fake&org=Fake&language=Fake&scheme=Fake&branding=Fake",
  );
  expect(text).toContain('<p class="brand">Draft</p>');
  expect(text).toContain('<p class="lead">Grey Bank</p>');
  expect(text).not.toMatch(/Fake|Forgotten|passkey/);
  const active = await open("&branding=active");
  expect(active).toContain('<p class="brand">Grey Bank</p>');
  expect(active).not.toMatch(/Draft|class="lead"/);
  for (const [scheme, color] of [
    ["light", "0f766e"],
    ["dark", "5eead4"],
  ]) {
    const page = await open(`&scheme=${scheme}`);
    expect(page).toContain(`href="/ui/brand/${color}-${color}.css"`);
    const [path = ""] = new RegExp(`/ui/style-${scheme}.css[^"]+`).exec(page) ?? [];
    const style = await (await fetchFile(path)).text();
    expect([style.includes(`color-scheme: ${scheme}`), style.includes("prefers-color-scheme")]).toEqual([true, false]);
  }
});

test("pages of the organization's users show its branding, and pages of others do not", async () => {
  await send("ActivateCustomLabelPolicy");
  const text = await openSignIn();
  const [logo = ""] = /\/ui\/brand\/[\w-]{43}\.png/.exec(text) ?? [];
  expect(text).toContain(`<picture><img src="${logo}" alt="Acme &lt;Shop&gt;"></picture>`);
  expect(text).toContain(" · Acme &lt;Shop&gt;</title>");
  expect(text).toContain('<a href="mailto:help%2B1@example.com">Help</a>');
  expect(text).toContain('<a href="https://example.com/terms?a=1&amp;b=2" rel="noreferrer">Terms of service</a>');
  expect(text).toContain("<span>Secured by Signet</span>");
  expect(await openSignIn(otherApp)).toContain('<p class="brand">Other</p>');

  const userId = await importAda(service, { userName: "ada" });
  const { path } = await lastReceived(service, userId, "initialization");
  expect(await (await fetchFile(path)).text()).toContain(logo);
  await service.delivery.deliverDue();
  const folder = join(service.config.dataDir, "mail");
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  expect(mails.filter((mail) => mail.includes("Help: help+1@example.com"))).toHaveLength(1);
  // A page of no organization.
  expect(await (await fetchFile("/ui/nothing")).text()).toContain("</svg>Signet</p>");
});

test("the instance's branding is on pages of no organization, and of organizations without their own", async () => {
  await send("UpdateLabelPolicy", { name: "Instance", disableWatermark: true });
  await send("ActivateLabelPolicy");
  service.clockOffsetMs += LATER_MS;
  const device = await fetchFile("/ui/device");
  expect(device.status).toBe(200);
  const others = [await openSignIn(otherApp), await (await fetchFile("/ui/nothing")).text(), await device.text()];
  for (const text of others) {
    expect(text).toContain('<p class="brand">Instance</p>');
    expect(text).not.toContain("Signet");
  }
  expect(await openSignIn()).toContain("Acme &lt;Shop&gt;");
  await send("ResetInstanceLabelPolicyToDefault");
});

test("an image is served so that it can do no harm", async () => {
  const { policy } = (await send("GetLabelPolicy")) as { policy: { logoUrl: string } };
  const { pathname } = new URL(policy.logoUrl);
  const response = await fetchFile(pathname);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/png",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
  const unknown = await fetchFile(pathname.replace(/[\w-]{3}\.png$/, "AAA.png"));
  expect(unknown.status).toBe(404);
  expect((await fetchFile(pathname, { method: "POST" })).status).toBe(405);
});

test("an SVG logo is served sanitized, as an image that can neither run nor load anything", async () => {
  const attack = '<script>alert(1)</script><use href="https://example.com/a.svg#a"/><g onload="alert(1)"/>';
  const data = createSvg({ attack }).toString("base64");
  for (const image of ["LABEL_POLICY_IMAGE_LOGO_DARK", "LABEL_POLICY_IMAGE_ICON"])
    await send("UploadCustomLabelPolicyImage", { image, data });
  await send("ActivateCustomLabelPolicy");
  service.clockOffsetMs += LATER_MS;
  const text = await openSignIn();
  const [path = ""] = /\/ui\/brand\/[\w-]{43}\.svg/.exec(text) ?? [];
  expect(text).toContain(`<source media="(prefers-color-scheme: dark)" srcset="${path}">`);
  expect(text).toContain(`<link rel="icon" type="image/svg+xml" href="${path}">`);
  const response = await fetchFile(path);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(await response.text()).toBe(SVG.toString().replace("</svg>", "<use></use><g></g></svg>"));
  // The same file under the other extension is no image.
  expect((await fetchFile(path.replace(".svg", ".png"))).status).toBe(404);
  await send("RemoveCustomLabelPolicyLogoDark");
  await send("RemoveCustomLabelPolicyIcon");
  await send("ActivateCustomLabelPolicy");
});

test("a stylesheet contains nothing but colors", async () => {
  const [path = ""] = /\/ui\/brand\/[0-9a-f]{6}-[0-9a-f]{6}\.css/.exec(await openSignIn()) ?? [];
  const style = await (await fetchFile(path)).text();
  expect(style).toContain("--accent: #0f766e;");
  expect(style.replaceAll(/#[0-9a-f]{6}/g, "#")).toMatch(/^[\s\w:;{}()@#-]+$/);
  for (const other of ["0f766e-5eead4;}.css", "0f766e.css", "0F766E-5eead4.css", "0f766e-%7d.css"]) {
    expect([other, (await fetchFile(`/ui/brand/${other}`)).status]).toEqual([other, 404]);
  }
});

test("browsers in dark mode show the icon for them", async () => {
  const [light, dark] = [createPng({ color: [1, 1, 1] }), createPng({ color: [250, 250, 250] })];
  await send("UploadCustomLabelPolicyImage", {
    image: "LABEL_POLICY_IMAGE_ICON_DARK",
    data: dark.toString("base64"),
  });
  await send("ActivateCustomLabelPolicy");
  const onlyDark = await openSignIn();
  const [icon = ""] = /<link rel="icon"[^>]*>/.exec(onlyDark) ?? [];
  expect(icon).toMatch(/^<link rel="icon" type="image\/png" href="\/ui\/brand\/[\w-]{43}\.png">$/);
  await send("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_ICON", data: light.toString("base64") });
  await send("ActivateCustomLabelPolicy");
  service.clockOffsetMs += LATER_MS;
  const both = await openSignIn();
  const [path = ""] = /\/ui\/brand\/[\w-]{43}\.png/.exec(icon) ?? [];
  expect(both).toContain(`href="${path}" media="(prefers-color-scheme: dark)">`);
  expect(both.match(/<link rel="icon"/g)).toHaveLength(2);
  expect((await fetchFile(path)).headers.get("content-type")).toBe("image/png");
  const { policy } = (await send("GetLabelPolicy")) as { policy: { iconUrl: string; iconUrlDark: string } };
  expect(new URL(policy.iconUrlDark).pathname).toBe(path);
  expect(policy.iconUrl).not.toBe(policy.iconUrlDark);
  await send("RemoveCustomLabelPolicyIconDark");
  await send("RemoveCustomLabelPolicyIcon");
  await send("ActivateCustomLabelPolicy");
});

test("a page asks for the branding once in a few seconds, and an image once", async () => {
  const data = createPng({ color: [9, 9, 9] }).toString("base64");
  await send("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_ICON", data });
  const { policy } = (await send("GetPreviewLabelPolicy")) as { policy: { iconUrl: string } };
  const { pathname } = new URL(policy.iconUrl);
  await openSignIn();
  await fetchFile(pathname);
  await service.db.deleteFrom("branding_images").execute();
  await service.db.deleteFrom("brandings").execute();
  expect(await openSignIn()).toContain("Acme &lt;Shop&gt;");
  const images = await Promise.all(Array.from({ length: 100 }, () => fetchFile(pathname)));
  expect(new Set(images.map(({ status }) => status))).toEqual(new Set([200]));
  service.clockOffsetMs += LATER_MS;
  expect(await openSignIn()).toContain("</svg>Signet</p>");
});
