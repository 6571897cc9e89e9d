import { randomUUID } from "node:crypto";
import { send } from "../support/clients/send.ts";
import { sendTo } from "../support/scim/directory.ts";
import { createProcesses } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import { createSignetCommands } from "./signet-commands.ts";

const processes = createProcesses();
afterAll(() => processes.close());

test("`signet scim` adds a connection, lists its requests, changes its settings, replaces its token, and removes it", async () => {
  const installation = await processes.createInstallation("scim");
  const service = await serveHere(installation);
  const { signet, json, expectFailure } = createSignetCommands(processes.runHere, installation.variables);

  const added = await json("scim", "add", "Entra ID", "--link-attribute", "nickName", "--addresses", "silent");
  const { id, token } = added;
  expect(added).toEqual({ id, url: "http://localhost:8080/scim/v2", token: expect.stringMatching(/^signet_scim_/) });
  const [shown, ...others] = await json("scim", "list");
  expect(others).toEqual([]);
  const settings = { name: "Entra ID", addresses: "silent", idpId: null, linkAttribute: "nickName", groupAppId: null };
  expect(shown).toMatchObject({ id, ...settings, isTrial: false, lastUsedAt: null, previousTokenEndsAt: null });
  expect(await json("scim", "list", "--org", shown.orgId)).toHaveLength(1);
  expect((await signet("scim", "list")).stdout).toMatch(
    new RegExp(`^ID +NAME +ORG +TRIAL +LAST USED\n${id} +Entra ID +${shown.orgId} +no +never\n`),
  );

  const directory = sendTo(service, token);
  const user = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "ada@example.com" };
  const { body } = await directory("POST", "/Users", user, { "user-agent": "Directory/1" });
  expect(await directory("POST", "/Users", user)).toMatchObject({ status: 409 });
  // The process that serves the directory stores its latest requests when they are listed there.
  await send(service.origin, "POST", `/management/v1/scim/${id}/requests/_search`, {
    token: service.adminToken,
    body: {},
  });
  const requests = await json("scim", "requests", id);
  expect(requests).toHaveLength(2);
  const [first, second] = requests;
  const expected = { method: "POST", path: "/Users", status: 201, outcome: "added", detail: null };
  expect(first).toMatchObject({ ...expected, userId: body.id, sender: "Directory/1" });
  expect(await json("scim", "requests", id, "--failed")).toEqual([second]);
  expect((await signet("scim", "requests", id, "--failed")).stdout).toMatch(/\n\S+ +POST \/Users +409 +\S+/);

  const rotated = await json("scim", "rotate", id);
  expect(rotated).toEqual({ id, token: expect.stringMatching(/^signet_scim_/) });
  for (const each of [token, rotated.token]) {
    expect(await sendTo(service, each)("GET", "/Users?count=1")).toMatchObject({ status: 200 });
  }
  expect((await json("scim", "list"))[0].previousTokenEndsAt).not.toBeNull();
  expect((await signet("scim", "rotate", id)).stdout).toMatch(/^signet_scim_\w+\n$/);

  expect(await signet("scim", "remove", id)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/there is no terminal to confirm/),
  });
  expect(await signet("scim", "remove", id, "--yes")).toMatchObject({ code: 0, stdout: `removed ${id}\n` });
  expect(await directory("GET", "/Users")).toMatchObject({ status: 401 });
  const trial = await json("scim", "add", "Okta", "--trial", "--link-attribute", "title");
  expect(await json("scim", "list")).toMatchObject([{ id: trial.id, isTrial: true, linkAttribute: "title" }]);
  expect(await signet("scim", "update", trial.id, "--no-trial")).toMatchObject({ stdout: `updated ${trial.id}\n` });
  const kept = { id: trial.id, name: "Okta", addresses: "invite" };
  expect(await json("scim", "list")).toMatchObject([{ ...kept, isTrial: false, linkAttribute: "title" }]);
  const changes = ["--name", "Okta again", "--addresses", "reject", "--link-attribute", "userName"];
  await json("scim", "update", trial.id, ...changes);
  const changed = { name: "Okta again", addresses: "reject", isTrial: false, linkAttribute: "userName" };
  expect(await json("scim", "list")).toMatchObject([{ id: trial.id, ...changed }]);

  const unknown = randomUUID();
  for (const command of [["requests"], ["rotate"], ["remove", "--yes"]]) {
    const [name = "", ...options] = command;
    await expectFailure(["scim", name, unknown, ...options], `no SCIM connection has the id "${unknown}"`);
  }
  await expectFailure(["scim", "add", "Okta", "--idp", unknown], /idpId: must be the id of an identity provider/);
  await service.close();
});
