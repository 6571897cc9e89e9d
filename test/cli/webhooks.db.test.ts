import { randomUUID } from "node:crypto";
import { send } from "../support/clients/send.ts";
import { createProcesses } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import { createSignetCommands } from "./signet-commands.ts";

const processes = createProcesses();
afterAll(() => processes.close());

test("`signet webhooks` lists webhooks and deliveries, and retries one", async () => {
  const installation = await processes.createInstallation("webhooks");
  const service = await serveHere(installation);
  const { adminToken: token, origin } = service;
  const body = { name: "CRM", url: "http://127.0.0.1:9/hook", eventTypes: [], includesPayload: true };
  const added = await send(origin, "POST", "/management/v1/webhooks", { token, body });
  processes.secret(added.body.signingKey);
  const { id } = added.body;
  await service.webhooks.deliverDue();

  const { signet, json, expectFailure } = createSignetCommands(processes.runHere, installation.variables);
  const orgId = added.body.details.resourceOwner;
  expect(await json("webhooks", "list")).toMatchObject([{ id, ...body, state: "active", orgId }]);
  expect(await json("webhooks", "list", "--org", orgId)).toHaveLength(1);
  expect((await signet("webhooks", "list")).stdout).toMatch(
    new RegExp(`^ID +NAME +STATE +ORG +URL *\n${id} +CRM +active`),
  );

  const [delivery, ...others] = await json("webhooks", "deliveries", id);
  expect(others).toEqual([]);
  const lastError = "127.0.0.1 has an address that is not public";
  expect(delivery).toMatchObject({ eventType: "org.webhook.added", state: "waiting", attempts: 1, lastError });
  expect(await json("webhooks", "deliveries", id, "--state", "sent")).toEqual([]);

  const retried = await signet("webhooks", "retry", id, delivery.id);
  expect(retried).toMatchObject({
    code: 0,
    stdout: `${delivery.id} will be sent now; check the result with \`signet webhooks deliveries ${id}\`\n`,
  });
  await service.webhooks.deliverDue();
  expect((await json("webhooks", "deliveries", id))[0]).toMatchObject({ id: delivery.id, attempts: 2 });

  const unknown = randomUUID();
  await expectFailure(["webhooks", "deliveries", unknown], `no webhook has the id "${unknown}"`);
  await expectFailure(["webhooks", "retry", unknown, unknown], `no webhook has the id "${unknown}"`);
  await expectFailure(["webhooks", "retry", id, unknown], /no delivery of the webhook has this id/);
  await expectFailure(["webhooks", "list", "--org", "nowhere"], /no organization has the id or name "nowhere"/);
  await service.close();
});
