import type { Page } from "playwright-core";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { createTestWebhook } from "../support/webhooks/webhook.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { openScene, SAVE, type Scene } from "./console-scene.ts";

describeInChromium("the webhooks in the console, in Chromium", () => {
  let scene: Scene;
  let receiver: Receiver;
  beforeAll(async () => {
    scene = await openScene({ environment: { IDP_ALLOW_PRIVATE_NETWORKS: "true" } });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver?.close();
    await scene?.close();
  });

  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const webhookOf = (id: string) =>
    scene.service.db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  /** A new organization with its owner, because one has at most 20 webhooks. */
  async function openNewOrg(path = "", role: "INSTANCE_OWNER" | "INSTANCE_VIEWER" = "INSTANCE_OWNER") {
    const orgId = await scene.service.createOrg(`Org ${Math.random()}`);
    const { id } = await createTestWebhook(scene.service, orgId, { url: receiver.url });
    const person = await scene.signIn({ role, path: `/orgs/${orgId}/webhooks${path.replace("{id}", id)}` });
    return { ...person, orgId, id };
  }

  test.each(SCREENS)("the pages are accessible and fit: %s, %s", async (...screen) => {
    const orgId = await scene.service.createOrg(`Org ${Math.random()}`);
    const { id } = await createTestWebhook(scene.service, orgId, { url: receiver.url });
    receiver.respond = () => 500;
    await scene.service.webhooks.deliverDue();
    const path = `/orgs/${orgId}/webhooks`;
    const found = await lookAt(scene, screen, "INSTANCE_OWNER", [
      ["webhooks", path, "tbody a"],
      ["new-webhook", `${path}/new`, "main form"],
      ["webhook", `${path}/${id}`, "tbody tr"],
    ]);
    expect(found).toEqual([]);
  });

  test("a webhook is added, and its key is shown once", async () => {
    const { page, problems, close } = await openNewOrg();
    await page.click("text=New webhook");
    await field(page, "Name").fill("CRM");
    await field(page, "URL").fill("https://crm.example.com/signet");
    await page.check("text=Only some types");
    await field(page, "Search types").fill("user created");
    await page.check("label:has-text('User created user.human.added')");
    await page.click("form >> text=New webhook");
    const key = scene.service.secret((await page.textContent(".secret code")) ?? "");
    expect(key).toMatch(/^whsec_/);
    await page.click("text=To the webhook");
    await page.waitForSelector("h1 >> text=CRM");
    const [, id = ""] = /webhooks\/(.+)$/.exec(page.url()) ?? [];
    expect(await webhookOf(id)).toMatchObject({
      name: "CRM",
      url: "https://crm.example.com/signet",
      event_types: ["user.human.added"],
    });
    expect(await page.content()).not.toContain(key);
    expect(problems).toEqual([]);
    await close();
  });

  test("types are chosen in a tree, one by one or as a group", async () => {
    const { page, id, problems, close } = await openNewOrg("/{id}");
    await page.check("text=Only some types");
    await page.click("summary:has-text('app.*')");
    await page.check("text=All that begin with app >> nth=0");
    await page.click("summary:has-text('org.*')");
    await page.check("label:has-text('org.changed') >> nth=0");
    await page.click(SAVE);
    await page.waitForSelector(SAVE, { state: "detached" });
    const { event_types: types } = await webhookOf(id);
    expect(types).toEqual(expect.arrayContaining(["app.oidc.added", "app.removed", "org.changed"]));
    expect(types.filter((type) => !type.startsWith("app."))).toEqual(["org.changed"]);
    await page.check("text=All events");
    await page.click(SAVE);
    await page.waitForSelector(SAVE, { state: "detached" });
    expect((await webhookOf(id)).event_types).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  test("deliveries have a state and a result, are filtered, and sent again", async () => {
    const { page, orgId, id, close } = await openNewOrg("/{id}");
    receiver.respond = () => 503;
    await scene.service.webhooks.deliverDue();
    await page.click("text=Refresh");
    await page.waitForSelector("tbody tr:has-text('org.webhook.added') >> text=/503/");
    await page.waitForSelector("tbody tr >> text=Waiting");
    await page.click(".chip >> text=Sent");
    await page.waitForURL(/state=sent/);
    await page.waitForSelector("text=No deliveries");
    await page.click(".chip >> text=Sent");
    await page.waitForSelector("tbody tr");
    receiver.respond = () => 204;
    const retried = page.waitForResponse((response) => response.url().endsWith("/RetryWebhookDelivery"));
    await page.click("[aria-label='Send again: org.webhook.added']");
    await retried;
    await scene.service.webhooks.deliverDue();
    await page.click("text=Refresh");
    await page.waitForSelector("tbody tr >> text=Sent");
    const sent = receiver.received.filter(({ event }) => event.data.aggregate.resourceOwner === orgId);
    expect(new Set(sent.map(({ event }) => event.data.aggregate.id))).toEqual(new Set([id]));
    expect(sent.length).toBeGreaterThan(1);
    await close();
  });

  test("a test event of any type shows its request and the response", async () => {
    const { page, problems, close } = await openNewOrg("/{id}");
    receiver.respond = () => 418;
    receiver.body = "short and stout";
    await page.click("[aria-label^='Remove: Event']");
    await page.getByRole("combobox", { name: "Event" }).fill("user.locked");
    await page.click("[role=option] >> text=user.locked");
    await page.click("text=Send a test event");
    await page.waitForSelector("text=the response has the status 418");
    const [request = "", response] = await page.locator(".code pre").allTextContents();
    expect(request).toMatch(/webhook-signature: v1,/);
    expect(JSON.parse(request.split("\n\n")[1] ?? "")).toMatchObject({ type: "user.locked", test: true });
    expect(response).toBe("418\n\nshort and stout");
    expect(receiver.received.at(-1)?.event).toMatchObject({ type: "user.locked", test: true });
    receiver.body = "";
    expect(problems).toEqual([]);
    await close();
  });

  test("a delivery shows its request and what the receiver has said", async () => {
    const { page, id, problems, close } = await openNewOrg("/{id}");
    receiver.respond = () => 400;
    receiver.body = "no such tenant";
    await scene.service.webhooks.deliverDue();
    receiver.body = "";
    await page.click("text=Refresh");
    await page.click("[aria-label='org.webhook.added: Details']");
    const request = (await page.textContent("dialog .code pre")) ?? "";
    const sent = receiver.received.find(({ event }) => event.data.aggregate.id === id);
    expect(request).toContain(`webhook-id: ${sent?.id}`);
    expect(JSON.parse(request.split("\n\n")[1] ?? "")).toEqual(sent?.event);
    await page.waitForSelector("dialog >> text=the response has the status 400: no such tenant");
    expect(problems).toEqual([]);
    await close();
  });

  test("settings are changed, and the webhook deactivated, reactivated and removed", async () => {
    const { page, id, close } = await openNewOrg("/{id}");
    const act = async (label: string) => {
      await page.click(`main > .buttons >> text="${label}"`);
      await page.click(`dialog .buttons >> text="${label}"`);
      await page.waitForSelector("dialog", { state: "detached" });
    };
    await field(page, "Name").fill("Warehouse");
    await page.check("text=Send the payloads of events");
    await page.click(SAVE);
    await page.waitForSelector("h1 >> text=Warehouse");
    expect(await webhookOf(id)).toMatchObject({ name: "Warehouse", includes_payload: true, url: receiver.url });
    await act("New signing key");
    scene.service.secret((await page.textContent(".secret code")) ?? "");
    await act("Deactivate");
    await page.waitForSelector("main > .buttons > button >> text=Reactivate");
    expect((await webhookOf(id)).state).toBe("inactive");
    await act("Reactivate");
    await page.waitForSelector("main > .buttons > button >> text=Deactivate");
    await act("Remove");
    await page.waitForURL(/\/webhooks$/);
    await page.waitForSelector(".blank");
    await close();
  });

  test("somebody who only reads can change nothing", async () => {
    const { page, close } = await openNewOrg("/{id}", "INSTANCE_VIEWER");
    await page.waitForSelector("main form");
    expect(await field(page, "Name").getAttribute("readonly")).not.toBeNull();
    expect(
      await page.locator("main form button, main > .buttons button, tbody [aria-label^='Send again']").count(),
    ).toBe(0);
    await close();
  });

  test("a webhook of another organization is not found", async () => {
    const { page, id, close } = await openNewOrg();
    const orgId = await scene.service.createOrg(`Org ${Math.random()}`);
    await page.goto(`${new URL(page.url()).origin}/console/orgs/${orgId}/webhooks/${id}`);
    await page.waitForSelector("h1 >> text=No such page");
    await close();
  });
});
