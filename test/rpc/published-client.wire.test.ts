import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  type GrpcTransportOptions,
} from "@connectrpc/connect-node";
import { createServerTransport } from "@zitadel/client/node";
import { createAdminServiceClient, createManagementServiceClient } from "@zitadel/client/v1";
import { BCRYPT, HUMAN, IDP } from "../support/clients/requests.ts";
import { startService, type TestService } from "../support/servers/service.ts";

type Options = Pick<GrpcTransportOptions, "baseUrl" | "interceptors">;

let service: TestService;
let management: ReturnType<typeof createManagementServiceClient>;
let admin: ReturnType<typeof createAdminServiceClient>;
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  const transport = createServerTransport(service.adminToken, { baseUrl: service.origin });
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

test("the published client manages identity providers and members", async () => {
  service.secret(IDP.clientSecret);
  const { idpId } = await admin.addOIDCIDP(IDP);
  const org = await management.addOrgOIDCIDP(IDP);
  await admin.updateIDP({ idpId, name: "Social", autoRegister: true });
  // The two services number these fields differently.
  const config = { clientId: "other", issuer: "https://login.example.com", scopes: ["openid"], displayNameMapping: 2 };
  await admin.updateIDPOIDCConfig({ idpId, ...config });
  await management.updateOrgIDPOIDCConfig({ idpId: org.idpId, ...config });
  const { idp } = await admin.getIDPByID({ id: idpId });
  expect(idp).toMatchObject({
    id: idpId,
    state: 1,
    name: "Social",
    owner: 1,
    autoRegister: true,
    config: { case: "oidcConfig", value: config },
  });
  await management.deactivateOrgIDP({ idpId: org.idpId });
  const listed = await management.listOrgIDPs({ query: { asc: true } });
  expect(listed).toMatchObject({
    details: { totalResult: 2n },
    result: [idp, { id: org.idpId, state: 2, owner: 2, config: { value: config } }],
  });
  const query = { case: "idpNameQuery", value: { name: "SOC", method: 3 } } as const;
  expect(await admin.listIDPs({ sortingColumn: 1, queries: [{ query }] })).toMatchObject({ result: [idp] });
  await management.reactivateOrgIDP({ idpId: org.idpId });
  await management.removeOrgIDP({ idpId: org.idpId });
  await admin.removeIDP({ idpId });
  expect((await admin.listIDPs({})).result).toEqual([]);

  const { userId } = await management.importHumanUser({ userName: "grace", ...HUMAN });
  await management.addOrgMember({ userId, roles: ["ORG_VIEWER"] });
  await management.updateOrgMember({ userId, roles: ["ORG_OWNER", "ORG_VIEWER"] });
  const members = await management.listOrgMembers({
    queries: [{ query: { case: "userIdQuery", value: { userId } } }],
  });
  expect(members.result).toMatchObject([
    { userId, roles: ["ORG_OWNER", "ORG_VIEWER"], preferredLoginName: "grace", firstName: "Ada", userType: 1 },
  ]);
  await management.removeOrgMember({ userId });
  expect((await management.listOrgMembers({})).result).toEqual([]);
});

test("the published client reads organizations", async () => {
  const { org } = await management.getMyOrg({});
  expect(org).toMatchObject({ id: service.orgId, name: "default", state: 1 });
  expect(await admin.getOrgByID({ id: service.orgId })).toMatchObject({ org });
  const orgs = await admin.listOrgs({ queries: [{ query: { case: "nameQuery", value: { name: "default" } } }] });
  expect(orgs).toMatchObject({ details: { totalResult: 1n }, result: [org] });
});

test("the published client manages applications", async () => {
  const config = {
    redirectUris: ["http://app.example.com/callback"],
    grantTypes: [0, 2],
    appType: 0,
    authMethodType: 1,
    postLogoutRedirectUris: ["http://app.example.com/signed-out"],
    devMode: true,
    accessTokenType: 1,
    additionalOrigins: ["https://app.example.com"],
    backChannelLogoutUri: "https://app.example.com/logout",
  };
  const { appId, clientId, clientSecret } = await management.addOIDCApp({ name: "Shop", ...config });
  service.secret(clientSecret);
  const { app } = await management.getAppByID({ appId });
  expect(app).toMatchObject({
    id: appId,
    state: 1,
    name: "Shop",
    config: { case: "oidcConfig", value: { ...config, clientId } },
  });
  await management.updateOIDCAppConfig({ appId, ...config, redirectUris: [], grantTypes: [3] });
  const { result } = await management.listApps({ queries: [] });
  expect(result).toMatchObject([{ id: appId, config: { value: { ...config, redirectUris: [], grantTypes: [3] } } }]);
});

test.each<[string, (options: Options) => Transport]>([
  ["gRPC", createGrpcTransport],
  ["gRPC-Web", (options) => createGrpcWebTransport({ ...options, httpVersion: "1.1" })],
  ["Connect", (options) => createConnectTransport({ ...options, httpVersion: "1.1" })],
  [
    "Connect with JSON",
    (options) => createConnectTransport({ ...options, httpVersion: "1.1", useBinaryFormat: false }),
  ],
])("its paths exist over %s, and a method that does not is named", async (title, createTransport) => {
  const client = createManagementServiceClient(
    createTransport({
      baseUrl: service.origin,
      interceptors: [
        (next) => (request) => {
          request.header.set("authorization", `Bearer ${service.adminToken}`);
          return next(request);
        },
      ],
    }),
  );
  const { userId } = await client.importHumanUser({ userName: title, ...HUMAN });
  const phone = { userId, phone: "+41791234567" };
  expect(await client.updateHumanPhone(phone)).toMatchObject({ details: { resourceOwner: service.orgId } });
  const error = await client.addProject({ name: "Shop" }).catch(ConnectError.from);
  expect(error).toMatchObject({
    code: Code.Unimplemented,
    rawMessage: "unknown method /zitadel.management.v1.ManagementService/AddProject",
  });
});

test("a search with a condition that only the published API has fails, instead of finding everything", async () => {
  const domainQuery = { query: { case: "domainQuery", value: { domain: "example.com" } } } as const;
  await expect(admin.listOrgs({ queries: [domainQuery] })).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(admin.isOrgUnique({ domain: "example.com" })).rejects.toMatchObject({ code: Code.InvalidArgument });
});
