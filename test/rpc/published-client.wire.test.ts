import type { Interceptor } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createServerTransport } from "@zitadel/client/node";
import { createAdminServiceClient, createManagementServiceClient } from "@zitadel/client/v1";
import { BCRYPT, HUMAN } from "../support/requests.ts";
import { startService, type TestService } from "../support/service.ts";

/** The published client of the API that the specification describes: the messages are the same, the paths differ. */
const toOurPaths: Interceptor = (next) => (request) =>
  next({ ...request, url: request.url.replace(/\/zitadel\.(?:admin|management)\.v1\./, "/signet.v1.") });

let service: TestService;
let management: ReturnType<typeof createManagementServiceClient>;
let admin: ReturnType<typeof createAdminServiceClient>;
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  const transport = createServerTransport(service.adminToken, { baseUrl: service.origin, interceptors: [toOurPaths] });
  management = createManagementServiceClient(transport);
  admin = createAdminServiceClient(transport);
});
afterAll(() => service?.close());

test("the published client reads what it has imported", async () => {
  const { userId, details } = await management.importHumanUser({
    userName: "ada",
    profile: { ...HUMAN.profile, nickName: "Countess", preferredLanguage: "en", gender: 1 },
    email: HUMAN.email,
    phone: { phone: "+41791234567", isPhoneVerified: true },
    hashedPassword: HUMAN.hashedPassword,
  });
  const { user } = await management.getUserByID({ id: userId });
  expect(user).toMatchObject({ id: userId, details, state: 1, userName: "ada", loginNames: ["ada"] });
  expect(user?.type).toMatchObject({
    case: "human",
    value: {
      profile: { firstName: "Ada", lastName: "Lovelace", nickName: "Countess", preferredLanguage: "en", gender: 1 },
      email: HUMAN.email,
      phone: { phone: "+41791234567", isPhoneVerified: true },
      passwordChanged: details?.creationDate,
    },
  });

  const found = await management.listUsers({
    query: { limit: 10, asc: true },
    sortingColumn: 6,
    queries: [
      { query: { case: "emailQuery", value: { emailAddress: "ADA@", method: 3 } } },
      {
        query: {
          case: "notQuery",
          value: { query: { query: { case: "typeQuery", value: { type: 2 } } } },
        },
      },
    ],
  });
  expect(found).toMatchObject({ details: { totalResult: 1n }, sortingColumn: 6, result: [{ id: userId }] });
  expect(found.result).toEqual([user]);

  const changes = await management.listUserChanges({ userId, query: { limit: 1, asc: true } });
  expect(changes.result).toMatchObject([
    { eventType: { key: "user.human.added" }, sequence: 1n, editorId: service.adminId, editorDisplayName: "admin" },
  ]);
  expect(await management.isUserUnique({ userName: "ADA" })).toMatchObject({ isUnique: false });
  expect(await management.listHumanPasswordless({ userId })).toMatchObject({ result: [] });
  expect(await management.listHumanLinkedIDPs({ userId })).toMatchObject({ result: [] });
});

test("the published client reads organizations", async () => {
  const { org } = await management.getMyOrg({});
  expect(org).toMatchObject({ id: service.orgId, name: "default", state: 1 });
  expect(await admin.getOrgByID({ id: service.orgId })).toMatchObject({ org });
  const orgs = await admin.listOrgs({ queries: [{ query: { case: "nameQuery", value: { name: "default" } } }] });
  expect(orgs).toMatchObject({ details: { totalResult: 1n }, result: [org] });
});
