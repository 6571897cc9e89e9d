import { create } from "@bufbuild/protobuf";
import { createSignetClient } from "../../clients/typescript/src/web.ts";
import { ImportHumanUserRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { createFindTaken } from "../../src/moving/checking/find-taken.ts";
import { EXTERNAL_ID } from "../../src/moving/converting/to-request.ts";
import { createPatience } from "../../src/moving/running/call-patiently.ts";
import { createPace } from "../../src/moving/running/pace.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(() => service?.close());

test("beyond the most calls, no user of an earlier import counts as another user with the same name", async () => {
  const api = { ...createSignetClient({ baseUrl: service.origin, token: service.adminToken }), isServer: true };
  const { orgId } = service;
  const candidates = ["a", "b", "c"].map((sourceId) => {
    const metadata = [{ key: EXTERNAL_ID, value: new TextEncoder().encode(sourceId) }];
    const request = create(ImportHumanUserRequestSchema, {
      userName: `user-${sourceId}`,
      profile: { firstName: "Ada", lastName: "Lovelace" },
      email: { email: "ada@example.com", isEmailVerified: true },
      metadata,
    });
    return { orgId, sourceId, request };
  });
  for (const { request } of candidates) await api.management.importHumanUser(request);
  const patience = () => createPatience(createPace(4), new AbortController().signal);

  const findAll = createFindTaken(api, patience());
  const exists = { kind: "exists" };
  expect([await findAll(candidates), findAll.isComplete()]).toEqual([[exists, exists, exists], true]);

  const findOne = createFindTaken(api, patience(), 1);
  expect([await findOne(candidates), findOne.isComplete()]).toEqual([[exists, undefined, undefined], false]);
  expect(await findOne(candidates)).toEqual([undefined, undefined, undefined]);
});
