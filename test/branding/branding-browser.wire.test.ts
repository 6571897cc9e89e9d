import type { JsonObject } from "@bufbuild/protobuf";
import type { Browser, Page } from "playwright-core";
import { createPng } from "../support/branding.ts";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium, isHarmless, launchChromium } from "../support/browsers/chromium.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "../support/browsers/pictures.ts";
import { createCaller, type Rpc } from "../support/clients/callers.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const ORIGIN = "http://id.example.com";
const ICON = createPng({ width: 32, height: 32, color: [15, 118, 110] }).toString("base64");

/** A logo with a script. */
function createLogo(color: string): string {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32" width="120" height="32">
<rect width="32" height="32" rx="8" fill="#0f766e"/><path d="M16 6l10 20h-6l-4-9-4 9H6z" fill="#fff"/>
<text x="42" y="23" font-family="system-ui, sans-serif" font-size="20" font-weight="700" fill="${color}">Acme</text>
<script>document.documentElement.remove()</script></svg>`).toString("base64");
}
const VIEWS = [1_280, 320].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

describeInChromium("branding, in Chromium", () => {
  let service: TestService;
  let app: RelyingParty;
  let browser: Browser;
  let previewUrl: string;

  beforeAll(async () => {
    service = await startService("postgres", { PUBLIC_URL: ORIGIN });
    app = await createRelyingParty(service, { name: "Notes" });
    const caller = createCaller("rest", service, service.adminToken);
    const send = async (rpc: Rpc, request: JsonObject = {}) => {
      const outcome = await caller.call(rpc, request);
      if (!outcome.ok) throw new Error(outcome.message);
      return outcome.message;
    };
    await send("AddCustomLabelPolicy", {
      primaryColor: "#0f766e",
      name: "Acme",
      supportAddress: "help@example.com",
      termsUrl: "https://example.com/terms",
      privacyUrl: "https://example.com/privacy",
    });
    const images = {
      LABEL_POLICY_IMAGE_LOGO: createLogo("#134e4a"),
      LABEL_POLICY_IMAGE_LOGO_DARK: createLogo("#ccfbf1"),
      LABEL_POLICY_IMAGE_ICON: ICON,
    };
    for (const [image, data] of Object.entries(images)) {
      await send("UploadCustomLabelPolicyImage", { image, data });
    }
    await send("ActivateCustomLabelPolicy");
    ({ previewUrl } = (await send("GetPreviewLabelPolicy")) as { previewUrl: string });
    caller.close();
    browser = await launchChromium({ "id.example.com": service.port });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  test.each(VIEWS)("the sign-in page is readable and fits, $width pixels wide, $colorScheme", async (view) => {
    const { width, colorScheme } = view;
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const problems = watch(page);
    await page.goto(createRequest(app).url.href);
    expect(await page.evaluate("document.querySelector('.brand img').naturalWidth")).toBe(120);
    const button =
      "getComputedStyle(document.querySelector('button:not(.link, .idp, .secondary, [type])')).backgroundColor";
    if (colorScheme === "light") expect(await page.evaluate(button)).toBe("rgb(15, 118, 110)");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("an SVG logo that is opened by itself is shown, and cannot run", async () => {
    const context = await browser.newContext({ colorScheme: "dark" });
    const page = await context.newPage();
    await page.goto(createRequest(app).url.href);
    const url = await page.evaluate<string>("document.querySelector('.brand img').currentSrc");
    await page.goto(url);
    expect(await page.evaluate("document.documentElement.localName")).toBe("svg");
    expect(await page.locator("path").count()).toBe(1);
    expect(await page.locator("script").count()).toBe(0);
    // The sandbox gives the file an origin of its own, without the cookies and the storage of the pages.
    expect(await page.evaluate("globalThis.origin")).toBe("null");
    await context.close();
  });

  test("nothing on a preview can be used, with the keyboard either", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems = watch(page);
    await page.goto(previewUrl);
    // Its sandbox runs no script, so axe cannot look at it: the sign-in page that it shows is looked at above.
    expect(await page.textContent("h1")).toBe("Sign in to Example");
    await page.keyboard.press("Tab");
    await page.keyboard.type("ada");
    await page.keyboard.press("Enter");
    expect(await page.inputValue("[name=username]")).toBe("");
    expect(page.url()).toBe(previewUrl);
    expect(problems).toEqual([]);
    await context.close();
  });

  /** Collects errors, such as violations of the Content-Security-Policy. */
  function watch(page: Page): string[] {
    const problems: string[] = [];
    page.on("console", (message) => {
      if (!isHarmless(message.text(), [])) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    return problems;
  }

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(createRequest(app).url.href);
      await takePicture(page, "branded", form);
      await page.goto(previewUrl);
      await takePicture(page, "preview", form);
      await context.close();
    });
});
