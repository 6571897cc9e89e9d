import { create } from "@bufbuild/protobuf";
import { createSignetClient } from "../../clients/typescript/src/web.ts";
import {
  ImportHumanUserRequest_EmailSchema,
  ImportHumanUserRequest_PhoneSchema,
  ImportHumanUserRequestSchema,
} from "../../gen/signet/v1/management_pb.js";
import { findTaken } from "../../src/moving/checking/find-taken.ts";
import { EXTERNAL_ID } from "../../src/moving/converting/to-request.ts";
import { createPatience } from "../../src/moving/running/call-patiently.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(() => service?.close());

const createApi = () => ({
  ...createSignetClient({ baseUrl: service.origin, token: service.adminToken }),
  isServer: true,
});
const find = (candidates: Parameters<typeof findTaken>[2]) =>
  findTaken(createApi(), createPatience(4, new AbortController().signal), candidates);

function toCandidate(orgId: string, sourceId: string, userName = sourceId) {
  const request = create(ImportHumanUserRequestSchema, {
    userName,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: "ada@example.com", isEmailVerified: true },
    metadata: [{ key: EXTERNAL_ID, value: new TextEncoder().encode(sourceId) }],
  });
  return { orgId, sourceId, request };
}

async function importInto({ orgId, request }: ReturnType<typeof toCandidate>): Promise<string> {
  const { userId } = await createApi().management.importHumanUser(request, { headers: { "x-service-orgid": orgId } });
  return userId;
}

test("more users than a call takes, of several organizations, are looked up in their own", async () => {
  const other = await service.createOrg("Other");
  const own = Array.from({ length: 120 }, (_, n) => toCandidate(service.orgId, `id-${n}`));
  const elsewhere = toCandidate(other, "id-0");
  const renamed = toCandidate(service.orgId, "new", "ID-1");
  await importInto(toCandidate(service.orgId, "id-0", "earlier name"));
  const userId = await importInto(toCandidate(service.orgId, "of another", "id-1"));
  await importInto(toCandidate(service.orgId, "id-119"));
  const found = await find([elsewhere, ...own, renamed]);
  const problems = [{ field: "userName", description: `is taken in the target, by user ${userId}` }];
  expect([...found].map(([{ sourceId, orgId }, taken]) => [sourceId, orgId, taken])).toEqual(
    expect.arrayContaining([
      ["id-0", service.orgId, { kind: "exists", userId: expect.any(String) }],
      ["id-1", service.orgId, { kind: "taken", problems }],
      ["id-119", service.orgId, { kind: "exists", userId: expect.any(String) }],
      ["new", service.orgId, { kind: "taken", problems }],
    ]),
  );
  expect(found.size).toBe(4);
});

test("a user whom the service cannot look up, which only the import refuses, does not affect the others", async () => {
  const known = toCandidate(service.orgId, "known");
  const broken = toCandidate(service.orgId, "x".repeat(2_001), "broken");
  await importInto(known);
  expect([...(await find([broken, known]))]).toEqual([[known, { kind: "exists", userId: expect.any(String) }]]);
});

test("a user whose verified address or number is the name of another user is found", async () => {
  const candidate = toCandidate(service.orgId, "by-address");
  candidate.request.email = create(ImportHumanUserRequest_EmailSchema, {
    email: "squatter@example.com",
    isEmailVerified: true,
  });
  candidate.request.phone = create(ImportHumanUserRequest_PhoneSchema, {
    phone: "+41791234510",
    isPhoneVerified: true,
  });
  const [byAddress, byNumber] = [
    await importInto(toCandidate(service.orgId, "squatter", "squatter@example.com")),
    await importInto(toCandidate(service.orgId, "caller", "+41791234510")),
  ];
  const problems = [
    { field: "email.email", description: `is taken in the target, by user ${byAddress}` },
    { field: "phone.phone", description: `is taken in the target, by user ${byNumber}` },
  ];
  expect([...(await find([candidate]))]).toEqual([[candidate, { kind: "taken", problems }]]);
});
