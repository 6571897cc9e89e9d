import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN, IDP } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
/** Has no Unicode form. */
const BYTES = Buffer.from([0xff, 0, 1]).toString("base64");

describe.each(["postgres", "embedded"] as const)("on %s", (kind) => {
  let service: TestService;
  let caller: Caller;
  let idps: string[];
  let ids: Readonly<Record<"known" | "other" | "machine" | "elsewhere", string>>;

  async function call(rpc: Parameters<Caller["call"]>[0], request: JsonObject, headers: Record<string, string> = {}) {
    const outcome = await caller.call(rpc, request, headers);
    if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
    return outcome.message;
  }

  const check = async (...users: JsonObject[]) => (await call("BulkCheckHumanUsers", { users })).results;

  beforeAll(async () => {
    service = await startService(kind);
    service.secret(BCRYPT);
    service.secret(CLIENT_SECRET);
    caller = createCaller("grpc", service, service.adminToken);
    const otherOrg = { "x-service-orgid": await service.createOrg("Other") };
    idps = [];
    for (const name of ["One", "Two"]) idps.push(String((await call("AddOIDCIDP", { ...IDP, name })).idpId));
    const importUser = async (user: JsonObject, headers?: Record<string, string>) =>
      String((await call("ImportHumanUser", { ...HUMAN, ...user }, headers)).userId);
    const link = (n: number, externalUserId: string) => ({ configId: idps[n] ?? "", externalUserId });
    ids = {
      known: await importUser({
        userName: "José",
        subject: "sub-known",
        metadata: [{ key: "external_id", value: base64("known") }],
        idps: [link(0, "1"), link(1, "1")],
      }),
      other: await importUser({
        userName: "other",
        subject: "sub-other",
        metadata: [
          { key: "external_id", value: BYTES },
          { key: "plan", value: base64("gold") },
        ],
        idps: [link(0, "2")],
      }),
      machine: String((await call("AddMachineUser", { userName: "machine", name: "Machine" })).userId),
      elsewhere: await importUser(
        {
          userName: "elsewhere",
          subject: "sub-elsewhere",
          metadata: [{ key: "external_id", value: base64("elsewhere") }],
          idps: [link(0, "3")],
        },
        otherOrg,
      ),
    };
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  const taken = (field: string, who: keyof typeof ids) => ({ field, userId: ids[who] });
  const linkTo = (n: number, externalUserId: string) => ({ configId: idps[n] ?? "", externalUserId });

  test("each user gets a result in the order of the request, with everything that is taken", async () => {
    const idpsOfTwo = [linkTo(1, "9"), linkTo(0, "1"), { configId: "no id", externalUserId: "1" }, linkTo(0, "2")];
    const results = await check(
      { userName: "new", externalId: base64("new"), subject: "sub-new", idps: [linkTo(0, "9")] },
      { userName: "Other", subject: "sub-known", idps: idpsOfTwo },
      { externalId: base64("known"), userName: "other" },
    );
    expect(results).toEqual([
      {},
      {
        taken: [
          taken("userName", "other"),
          taken("subject", "known"),
          taken("idps[1]", "known"),
          taken("idps[3]", "other"),
        ],
      },
      { userId: ids.known },
    ]);
  });

  // The rest of the cases runs once.
  if (kind === "embedded") return;

  test.each<[string, () => JsonObject, () => JsonObject]>([
    ["nothing", () => ({}), () => ({})],
    ["an external id that is no text", () => ({ externalId: BYTES }), () => ({ userId: ids.other })],
    ["an external id that is another value", () => ({ externalId: base64("gold") }), () => ({})],
    ["an external id in another case", () => ({ externalId: base64("KNOWN") }), () => ({})],
    [
      "a user name in another form",
      () => ({ userName: " JOSE\u0301 " }),
      () => ({ taken: [taken("userName", "known")] }),
    ],
    ["the user name of a machine", () => ({ userName: "machine" }), () => ({ taken: [taken("userName", "machine")] })],
    ["a subject", () => ({ subject: "sub-other" }), () => ({ taken: [taken("subject", "other")] })],
    ["a subject in another case", () => ({ subject: "SUB-OTHER" }), () => ({})],
    ["a link to another provider", () => ({ idps: [linkTo(1, "2")] }), () => ({})],
    [
      "a link with the id in upper case",
      () => ({ idps: [{ ...linkTo(0, "2"), configId: String(idps[0]).toUpperCase() }] }),
      () => ({ taken: [taken("idps[0]", "other")] }),
    ],
    [
      "the values of a user of another organization",
      () => ({
        externalId: base64("elsewhere"),
        userName: "elsewhere",
        subject: "sub-elsewhere",
        idps: [linkTo(0, "3")],
      }),
      () => ({}),
    ],
  ])("%s", async (_what, user, result) => {
    expect(await check(user())).toEqual([result()]);
  });

  const verified = (email: string, isEmailVerified = true) => ({ email: { email, isEmailVerified } });
  const reachable = (phone: string, isPhoneVerified = true) => ({ phone: { phone, isPhoneVerified } });

  test("a value is taken if the import of a user with it is refused, because a sign-in finds another user by it", async () => {
    const headers = { "x-service-orgid": await service.createOrg("Names") };
    const importUser = (user: JsonObject) => caller.call("ImportHumanUser", { ...HUMAN, ...user }, headers);
    for (const user of [
      { userName: "holder", ...verified("Holder@example.com"), ...reachable("+41791234500") },
      { userName: "unproved", ...verified("unproved@example.com", false), ...reachable("+41791234501", false) },
      { userName: "Squatter@example.com" },
      { userName: "+41791234510" },
      { userName: "shared@example.com", ...verified("shared@example.com") },
    ]) {
      expect(await importUser(user)).toMatchObject({ ok: true });
    }
    await caller.call("AddMachineUser", { userName: "ops@example.com", name: "Ops" }, headers);
    const users: JsonObject[] = [
      ...["holder@example.com", "+41 79 123-45-00", "unproved@example.com", "+41791234501", "OPS@example.com"].map(
        (userName) => ({ userName }),
      ),
      { userName: "holder@example.com", ...verified("holder@example.com") },
      { userName: "squatter@example.com", ...verified("squatter@example.com") },
      { userName: "a", ...verified(" SQUATTER@example.com ") },
      { userName: "b", ...verified("squatter@example.com", false), ...reachable("+41791234510", false) },
      { userName: "c", ...verified("ops@example.com") },
      { userName: "d", ...verified("shared@example.com") },
      { userName: "e", ...reachable("+41 79 123 45 10") },
      { userName: "f", ...verified("holder@example.com"), ...reachable("+41791234500") },
    ];
    const { results } = await call("BulkCheckHumanUsers", { users }, headers);
    const found = (results as { taken?: { field: string; userId: string }[] }[]).map(({ taken = [] }) => taken);
    const fields = { USER_NAME_TAKEN: "userName", EMAIL_TAKEN: "email.email", PHONE_TAKEN: "phone.phone" };
    for (const [n, user] of users.entries()) {
      const outcome = await importUser(user);
      const refused = outcome.ok ? [] : [fields[outcome.reason as keyof typeof fields]];
      expect([n, found[n]?.map(({ field }) => field)]).toEqual([n, refused]);
      if (outcome.ok) await caller.call("RemoveUser", { id: String(outcome.message.userId) }, headers);
    }
    const names: string[] = [];
    for (const { userId } of found.flat()) {
      names.push(String(((await call("GetUserByID", { id: userId }, headers)).user as JsonObject).userName));
    }
    expect(names).toEqual([
      ...["holder", "holder", "ops@example.com", "holder"],
      ...["Squatter@example.com", "Squatter@example.com", "+41791234510"],
    ]);
  });

  test("a user without a name whose verified address is a name gets the address as taken", async () => {
    await call("ImportHumanUser", { ...HUMAN, userName: "named@example.com" });
    const [result] = (await check(verified("named@example.com"))) as { taken: JsonObject[] }[];
    expect(result?.taken.map(({ field }) => field)).toEqual(["email.email"]);
  });

  const many = (count: number, item: JsonObject) => Array.from({ length: count }, () => item);

  test("a call takes 50 users", async () => {
    expect(await check(...many(49, {}), { userName: "other" })).toEqual([
      ...many(49, {}),
      { taken: [taken("userName", "other")] },
    ]);
  });

  test.each<[string, JsonObject[], string[]]>([
    ["no users", [], ["users"]],
    ["51 users", many(51, {}), ["users"]],
    ["51 links", [{ idps: many(51, { configId: "a", externalUserId: "1" }) }], ["users[0].idps"]],
    [
      "values that no user can have",
      [
        {},
        {
          externalId: base64("x".repeat(2_001)),
          userName: "x".repeat(501),
          subject: "x".repeat(256),
          idps: [{ configId: "", externalUserId: "x".repeat(201) }],
        },
      ],
      [
        "users[1].externalId",
        "users[1].idps[0].configId",
        "users[1].idps[0].externalUserId",
        "users[1].subject",
        "users[1].userName",
      ],
    ],
  ])("%s are refused", async (_what, users, fields) => {
    await expectError(
      service.db,
      "grpc",
      () => caller.call("BulkCheckHumanUsers", { users }),
      "INVALID_ARGUMENT",
      fields,
    );
  });
});
