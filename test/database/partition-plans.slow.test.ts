import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { JsonObject } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { KINDS, PROVIDERS } from "../idps/provider-requests.ts";
import { PNG } from "../support/branding.ts";
import { createCaller, type Rpc } from "../support/clients/callers.ts";
import { HUMAN, IDP, PASSWORD } from "../support/clients/requests.ts";
import { runStatement, startPostgres, type TestPostgres } from "../support/databases/postgres.ts";
import { createProcesses, onPostgres, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { nameReadingAll, type PlanNode, tablesReadInParts } from "./partition-plans.ts";

/** PostgreSQL logs the plan of every statement with the rows read, including foreign key statements. */
const EXPLAIN = [
  "log_line_prefix=@@%a@@",
  "session_preload_libraries=auto_explain",
  "auto_explain.log_min_duration=0",
  "auto_explain.log_analyze=on",
  "auto_explain.log_timing=off",
  "auto_explain.log_format=json",
  "auto_explain.log_nested_statements=on",
  "fsync=off",
];

/** No server listens there: emails are queued, and wait. */
const EMAIL = { SMTP_URL: "smtp://127.0.0.1:1", EMAIL_FROM: "signet@example.com" };

const processes = createProcesses();
let postgres: TestPostgres;
let server: TestServer;
let log = "";

beforeAll(async () => {
  postgres = await startPostgres(
    EXPLAIN.flatMap((setting) => ["-c", setting]),
    (text) => {
      log += text;
    },
  );
  const url = postgres.urlOf("postgres");
  const variables = { ...onPostgres(url), DATA_DIR: join(processes.root, "data"), SMS_PROVIDER: "file", ...EMAIL };
  await processes.runHere(["migrate"], variables);
  expect(await processes.runHere(["database", "partition", "--partitions", "8"], variables)).toMatchObject({ code: 0 });
  // PostgreSQL's processes write their logs to one pipe. While it is full, a line of one process can end up in the middle
  // of another's (pipe(7)), so only one process logs plans.
  server = await processes.serve({ ...variables, DATABASE_POOL_SIZE: "1" });
  log = "";
});
afterAll(async () => {
  await processes.close();
  await postgres?.stop();
});

/** Runs the commands of docs/api.md in one shell. */
async function runExamples(): Promise<void> {
  const page = readFileSync("docs/api.md", "utf8");
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, command]) => command).join("");
  const script = commands
    .replaceAll("http://localhost:8080", server.origin)
    .replaceAll("data/admin.token", join(processes.root, "data", "admin.token"));
  const bash = spawn("bash", ["-e"], { cwd: processes.root, stdio: ["pipe", "ignore", "pipe"] });
  bash.stdin.end(script);
  const [stderr] = await Promise.all([text(bash.stderr), once(bash, "close")]);
  if (bash.exitCode !== 0) throw new Error(stderr.slice(-2_000));
}

/** The RPCs without an example in docs/api.md. */
async function callTheOthers(): Promise<void> {
  const token = readToken(join(processes.root, "data", "admin.token"));
  const caller = createCaller("rest", { origin: server.origin, responses: [] }, token);
  const call = async (rpc: Rpc, request: JsonObject, headers: Record<string, string> = {}) => {
    const outcome = await caller.call(rpc, request, headers);
    if (!outcome.ok) throw new Error(`${rpc}: ${outcome.message}`);
    return outcome.message;
  };
  const orgId = ((await call("GetMyOrg", {})).org as JsonObject).id as string;
  await call("GetOrgByID", { id: orgId });
  await call("UpdateOrg", { name: "Renamed" });
  await call("IsOrgUnique", { name: "Renamed" });
  await call("ListOrgs", { queries: [{ nameQuery: { name: "Renamed" } }] });
  const { id: addedId = "" } = await call("AddOrg", { name: "Temporary" });
  await call("AdminService.RemoveOrg", { orgId: addedId, confirmName: "Temporary" });
  await call("AddOrgDomain", { domain: "other.example" });
  await call("GenerateOrgDomainValidation", { domain: "other.example", type: "DOMAIN_VALIDATION_TYPE_DNS" });
  await call("ListOrgDomains", {});
  await call("RemoveOrgDomain", { domain: "other.example" });
  await call("AddOrgDomain", { domain: "primary.example" });
  await runStatement(postgres.urlOf("postgres"), "update org_domains set verified_at = now()");
  await call("SetPrimaryOrgDomain", { domain: "primary.example" });

  const { idpId = "" } = await call("AddOIDCIDP", IDP);
  await call("GetIDPByID", { id: idpId });
  await call("ListIDPs", {});
  await call("UpdateIDP", { idpId, name: "Renamed" });
  await call("UpdateIDPOIDCConfig", { idpId, clientId: "other", issuer: IDP.issuer });
  await call("DeactivateIDP", { idpId });
  await call("ReactivateIDP", { idpId });
  const { idpId: ownId = "" } = await call("AddOrgOIDCIDP", IDP);
  await call("DeactivateOrgIDP", { idpId: ownId });
  await call("ReactivateOrgIDP", { idpId: ownId });
  await call("GetOrgIDPByID", { id: ownId });
  await call("ListOrgIDPs", { queries: [{ idpNameQuery: { name: "Example" } }] });
  await call("UpdateOrgIDP", { idpId: ownId, name: "Renamed" });
  await call("UpdateOrgIDPOIDCConfig", { idpId: ownId, clientId: "other", issuer: IDP.issuer });
  await callUsers(call, String(ownId));
  await call("RemoveOrgIDP", { idpId: ownId });

  const { userId = "" } = await call("ImportHumanUser", {
    userName: "unfinished",
    ...HUMAN,
    hashedPassword: null,
    email: { email: "ada@example.com" },
    phone: { phone: "+41791234567" },
    idps: [{ configId: idpId, externalUserId: "ada" }],
  });
  await call("RemoveIDP", { idpId });
  // At most one message of a kind is sent per minute.
  await runStatement(postgres.urlOf("postgres"), "update codes set created_at = created_at - interval '1 hour'");
  await call("ResendHumanInitialization", { userId });
  await call("ResendHumanPhoneVerification", { userId });
  const { userId: ready = "" } = await call("ImportHumanUser", { userName: "ready", ...HUMAN });
  await call("SendHumanResetPasswordNotification", { userId: ready });
  await runStatement(
    postgres.urlOf("postgres"),
    `insert into passkeys (org_id, id, user_id, public_key, counter, transports, aaguid, device_type, backed_up, created_at)
     values ('${orgId}', 'passkey', '${ready}', '', 0, '{}', '${orgId}', 'singleDevice', false, now())`,
  );
  await call("RemoveHumanPasswordless", { userId: ready, tokenId: "passkey" });

  const { appId = "" } = await call("AddOIDCApp", { name: "Shop", redirectUris: ["https://shop.example/signed-in"] });
  await call("UpdateOIDCAppConfig", { appId, redirectUris: ["https://shop.example/other"] });
  await call("PatchOIDCAppConfig", { appId, devMode: true, updateMask: "devMode" });
  await call("PatchOIDCAppConfig", { appId, roles: ["editor"], updateMask: "roles" });
  await call("AddUserAppRoles", { userId: ready, appId, roles: ["editor"] });
  await call("ListUserAppRoles", { queries: [{ appIdQuery: { appId } }] });
  await call("GetAppByID", { appId });
  await call("ListApps", { queries: [{ nameQuery: { name: "Shop" } }] });
  await call("RemoveUserAppRoles", { userId: ready, appId, roles: ["editor"] });
  await call("RegenerateOIDCClientSecret", { appId });
  await call("DeactivateApp", { appId });
  await call("ReactivateApp", { appId });
  await call("RemoveApp", { appId });

  const { id: apiId = "" } = await call("AddAPI", { name: "Stock", identifier: "urn:example:stock" });
  await call("UpdateAPI", { id: apiId, name: "Renamed" });
  await call("GetAPIByID", { id: apiId });
  await call("ListAPIs", {});
  await call("RemoveAPI", { id: apiId });

  const { userId: machineId = "" } = await call("AddMachineUser", { userName: "robot", name: "Robot" });
  await call("UpdateMachine", { userId: machineId, name: "Renamed" });
  const { tokenId = "" } = await call("AddPersonalAccessToken", { userId: machineId });
  await call("ListPersonalAccessTokens", { userId: machineId });
  await call("GetPersonalAccessTokenByIDs", { userId: machineId, tokenId });
  await call("RemovePersonalAccessToken", { userId: machineId, tokenId });
  await call("ListHumanAuthFactors", { userId: ready });
  // The key of its secret is that of the code.
  await call("AddOIDCIDP", IDP);
  await runStatement(
    postgres.urlOf("postgres"),
    `update users set otp_code = '', otp_code_key = (select client_secret_key from idps limit 1) where id = '${ready}'`,
  );
  await call("RemoveHumanAuthFactorOTP", { userId: ready });
  const { profile, email } = HUMAN;
  const { orgId: orgSetUp = "" } = await call("SetUpOrg", {
    org: { name: "Set up" },
    human: { userName: "ada", profile, email },
  });
  await call("ListOrgChanges", {});
  // On the organization that was set up: nobody can deactivate the default one.
  const headers = { "x-service-orgid": String(orgSetUp) };
  for (const rpc of ["DeactivateOrg", "ReactivateOrg"] as const) await call(rpc, {}, headers);
  await call("RemoveOrg", { confirmName: "Set up" }, headers);
  await call("AddIAMMember", { userId: machineId, roles: ["INSTANCE_VIEWER"] });
  await call("UpdateIAMMember", { userId: machineId, roles: ["INSTANCE_USER_MANAGER"] });
  await call("ListIAMMembers", {});
  await call("RemoveIAMMember", { userId: machineId });
  await call("ListUserSessions", { userId: ready });
  await call("EndUserSessions", { userId: ready });
  await call("ListUserMessages", { userId: ready });
  const { result: messages = [] } = await call("ListUserMessages", { state: "USER_MESSAGE_STATE_WAITING" });
  const [message] = messages as JsonObject[];
  await call("RetryUserMessage", { userId: String(message?.userId), messageId: String(message?.id) });
  await call("GetInstanceInfo", {});
  for (const rpc of ["GetMyUser", "ListMyMemberships", "ListMyPermissions", "CountFailedSignIns"] as const) {
    await call(rpc, {});
  }
  for (const service of ["", "AdminService."] as const) await call(`${service}ListEvents`, {});
  await call("ListEvents", { limit: 1, asc: true, eventTypes: ["user.machine.added"] });
  await callWebhooks(call);
  await callPasswordHook(call);
  await callScim(call);
  await callTexts(call);
  await callPolicies(call);
  await callProviders(call);
  caller.close();
}

type CallRpc = (rpc: Rpc, request: JsonObject) => Promise<JsonObject>;

async function callUsers(call: CallRpc, idpId: string): Promise<void> {
  const { userId = "" } = await call("ImportHumanUser", { userName: "changed", ...HUMAN });
  await call("BulkCheckHumanUsers", { users: [{ userName: "bulk", externalId: "NDcxMg==", subject: "legacy|4712" }] });
  await call("BulkImportHumanUsers", { users: [{ user: { userName: "bulk", ...HUMAN } }] });
  await call("UpdateHumanPhone", { userId, phone: "+41791234567" });
  await call("ListUsers", {
    queries: [{ phoneQuery: { phone: "+41 79 123", method: "TEXT_QUERY_METHOD_STARTS_WITH" } }],
  });
  await call("UpdateHumanProfile", { userId, firstName: "Ada", lastName: "King" });
  await call("UpdateHumanEmail", { userId, email: "king@example.com" });
  await call("UpdateUserName", { userId, userName: "king" });
  await call("RemoveHumanPhone", { userId });
  for (const rpc of ["DeactivateUser", "ReactivateUser", "LockUser", "UnlockUser"] as const) {
    await call(rpc, { id: userId });
  }
  await call("SetHumanPassword", { userId, password: PASSWORD });
  await call("AddPasswordlessRegistration", { userId });
  await call("ListHumanPasswordless", { userId });
  await call("AddHumanLinkedIDP", { userId, idpId, externalUserId: "king" });
  await call("ListHumanLinkedIDPs", { userId });
  await call("RemoveHumanLinkedIDP", { userId, idpId, linkedUserId: "king" });

  await call("GetUserByID", { id: userId });
  await call("ListUserChanges", { userId });
  await call("IsUserUnique", { userName: "king" });
  await call("ListUsers", {
    sortingColumn: "USER_FIELD_NAME_EMAIL",
    queries: [
      { emailQuery: { emailAddress: "KING@", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } },
      { notQuery: { query: { stateQuery: { state: "USER_STATE_LOCKED" } } } },
    ],
  });

  await call("SetUserMetadata", { id: userId, key: "plan", value: "Z29sZA==" });
  await call("BulkSetUserMetadata", { id: userId, metadata: [{ key: "seats", value: "NQ==" }] });
  await call("ListUserMetadata", { id: userId });
  await call("GetUserMetadata", { id: userId, key: "plan" });
  await call("RemoveUserMetadata", { id: userId, key: "plan" });
  await call("BulkRemoveUserMetadata", { id: userId, keys: ["seats"] });

  await call("AddOrgMember", { userId, roles: ["ORG_USER_MANAGER"] });
  await call("UpdateOrgMember", { userId, roles: ["ORG_VIEWER"] });
  await call("ListOrgMembers", { queries: [{ userIdQuery: { userId } }] });
  await call("RemoveOrgMember", { userId });
  await call("RemoveUser", { id: userId });
}

async function callPolicies(call: CallRpc): Promise<void> {
  await call("AdminService.GetLoginPolicy", {});
  await call("UpdateLoginPolicy", { allowUsernamePassword: true });
  await call("AddCustomLoginPolicy", { allowUsernamePassword: true });
  await call("UpdateCustomLoginPolicy", { allowUsernamePassword: true, forceMfa: true });
  await call("GetLoginPolicy", {});
  await call("ResetLoginPolicyToDefault", {});

  const image = (name: string) => ({ image: `LABEL_POLICY_IMAGE_${name}`, data: PNG.toString("base64") });
  await call("UpdateLabelPolicy", { name: "Example" });
  for (const name of ["LOGO", "LOGO_DARK", "ICON", "ICON_DARK"]) await call("UploadLabelPolicyImage", image(name));
  await call("AdminService.GetPreviewLabelPolicy", {});
  await call("ActivateLabelPolicy", {});
  await call("AdminService.GetLabelPolicy", {});
  await call("RemoveLabelPolicyLogo", {});
  await call("RemoveLabelPolicyLogoDark", {});
  await call("RemoveLabelPolicyIcon", {});
  await call("RemoveLabelPolicyIconDark", {});
  await call("ResetInstanceLabelPolicyToDefault", {});

  await call("AddCustomLabelPolicy", { name: "Own" });
  await call("UpdateCustomLabelPolicy", { name: "Other" });
  for (const name of ["LOGO", "LOGO_DARK", "ICON"]) await call("UploadCustomLabelPolicyImage", image(name));
  await call("GetPreviewLabelPolicy", {});
  await call("ActivateCustomLabelPolicy", {});
  await call("GetLabelPolicy", {});
  await call("RemoveCustomLabelPolicyLogo", {});
  await call("RemoveCustomLabelPolicyLogoDark", {});
  await call("RemoveCustomLabelPolicyIcon", {});
  await call("RemoveCustomLabelPolicyIconDark", {});
  await call("ResetLabelPolicyToDefault", {});
}

async function callPasswordHook(call: CallRpc): Promise<void> {
  await call("SetPasswordHook", { url: "http://127.0.0.1:9/" });
  await call("GetPasswordHook", {});
  await call("RemovePasswordHook", {});
}

async function callWebhooks(call: CallRpc): Promise<void> {
  // The address is private, so nothing is sent.
  const webhook = { name: "CRM", url: "http://127.0.0.1:9/" };
  const { id = "" } = await call("AddWebhook", webhook);
  const find = async () => ((await call("ListWebhookDeliveries", { id })).result as JsonObject[] | undefined)?.[0];
  const delivery = await until("the first delivery has failed", async () => {
    const found = await find();
    return found?.lastError !== undefined && found;
  });
  await call("RetryWebhookDelivery", { id, deliveryId: String(delivery.id) });
  await call("UpdateWebhook", { ...webhook, id, name: "Renamed" });
  await call("CheckWebhook", { id, eventType: "user.human.added" });
  await call("RotateWebhookSigningKey", { id });
  await call("DeactivateWebhook", { id });
  await call("ReactivateWebhook", { id });
  await call("ListWebhooks", {});
  await call("RemoveWebhook", { id });
}

async function callScim(call: CallRpc): Promise<void> {
  const { id = "" } = await call("AddScimConnection", { name: "Entra ID" });
  await call("UpdateScimConnection", { id, name: "Renamed" });
  await call("RotateScimToken", { id });
  await call("GetScimConnection", { id });
  await call("ListScimConnections", {});
  await call("ListScimRequests", { id });
  await call("RemoveScimConnection", { id });
}

async function callTexts(call: CallRpc): Promise<void> {
  const message = { type: "MESSAGE_TEXT_TYPE_INITIALIZATION", language: "en" };
  const texts = { subject: "Welcome", text: "An account was created for you.", buttonText: "Activate account" };
  for (const owner of ["Custom", "Default"] as const) {
    await call(`Set${owner}MessageText`, { ...message, ...texts });
    await call(`GetPreview${owner}MessageText`, { ...message, ...texts });
    await call(`List${owner}MessageTexts`, { language: "en" });
    await call(`Reset${owner}MessageTextToDefault`, message);
    await call(`Set${owner}PageTexts`, { language: "en", texts: [{ key: "signIn.submit", text: "Go on" }] });
    await call(`List${owner}PageTexts`, { language: "en" });
    await call(`Reset${owner}PageTextsToDefault`, { language: "en" });
  }
}

async function callProviders(call: CallRpc): Promise<void> {
  for (const service of ["", "AdminService."] as const) {
    for (const kind of KINDS) {
      const { id = "" } = await call(`${service}Add${kind}Provider`, PROVIDERS[kind]);
      await call(`${service}Update${kind}Provider`, { ...PROVIDERS[kind], id });
      await call(`${service}GetProviderByID`, { id });
      // Those of other kinds load metadata.
      if (kind === "GitHub") await call(`${service}CheckProvider`, { id });
      await call(`${service}DeleteProvider`, { id });
    }
    await call(`${service}AddProviderDraft`, { name: "Corp", type: "PROVIDER_TYPE_SAML" });
    await call(`${service}ListProviders`, {});
  }
}

/** The plans of the statements of the service, with their texts. */
function readPlans(): { statement: string; plan: PlanNode }[] {
  return log.split(/^@@/m).flatMap((entry) => {
    const [, json] = /^signet@@LOG: {2}duration: [\d.]+ ms {2}plan:\n(.*)$/s.exec(entry) ?? [];
    if (json === undefined) return [];
    const { "Query Text": statement, Plan: plan } = JSON.parse(json);
    return [{ statement, plan }];
  });
}

test("every statement of every RPC reads the partition of one organization, except the listed ones", async () => {
  await runExamples();
  await callTheOthers();
  const { stderr } = await server.stop();
  const called = new Set(
    [...stderr.matchAll(/"method":"([\w.]+\/\w+)","protocol":"rest","code":"ok"/g)].map(([, rpc]) => rpc),
  );
  const rpcs = [AdminService, ManagementService, AuthService].flatMap(({ typeName, methods }) =>
    // Streams have no path in REST. Their statements are in partition-plans.db.test.ts.
    methods.filter(({ methodKind }) => methodKind === "unary").map(({ name }) => `${typeName}/${name}`),
  );
  // It needs a record in the DNS, and reads no partitioned table.
  called.add(`${ManagementService.typeName}/ValidateOrgDomain`);
  expect(rpcs.filter((rpc) => !called.has(rpc))).toEqual([]);

  const plans = readPlans();
  expect(plans.filter(({ statement }) => statement.startsWith('with "given"')).length).toBeGreaterThan(20);
  const names = plans.flatMap(({ statement, plan }) => {
    const tables = tablesReadInParts(plan);
    return tables.length === 0 ? [] : [nameReadingAll(statement, tables)];
  });
  const expected = [
    "claim due messages",
    "count the messages that are not sent yet",
    "create deliveries of webhooks",
    "delete the links to a provider",
    "find the last event of a list",
    "find the links to a provider",
    "find the organization of a new member of the instance",
    "find the user of a new member",
    "list events",
    "list the members of the instance",
    "read the names in events",
    "read the position of a new webhook",
    "read the position of the last event",
  ];
  // Whether they run before the server stops depends on the duration of the test.
  const inBackground = [
    "delete ended codes",
    "delete ended messages",
    "delete the links to the providers of a removed organization",
    "erase the events of an organization",
    "renew the claims of messages",
  ];
  expect([...new Set(names)].filter((name) => !inBackground.includes(name)).sort()).toEqual(expected);
});
