import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Browser, Page } from "playwright-core";
import { createPng } from "../support/branding.ts";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium, isHarmless, launchChromium } from "../support/browsers/chromium.ts";
import { createCaller, type Rpc } from "../support/clients/callers.ts";
import { createRelyingParty, createRequest, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

/** Folder for screenshots; none are taken without it. */
const PICTURES = process.env.PICTURES;
const ORIGIN = "http://id.example.com";
const LOGO = createPng({ width: 160, height: 40, color: [15, 118, 110] }).toString("base64");
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
    await send("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_LOGO", data: LOGO });
    await send("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_ICON", data: LOGO });
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
    expect(await page.evaluate("document.querySelector('.brand img').naturalWidth")).toBe(160);
    const button =
      "getComputedStyle(document.querySelector('button:not(.link, .idp, .secondary, [type])')).backgroundColor";
    if (colorScheme === "light") expect(await page.evaluate(button)).toBe("rgb(15, 118, 110)");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await takePicture(page, `branded-${width}-${colorScheme}`);
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("nothing on a preview can be used, with the keyboard either", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems = watch(page);
    await page.goto(previewUrl);
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

  async function takePicture(page: Page, name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }
});
