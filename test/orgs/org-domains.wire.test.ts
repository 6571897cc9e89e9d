import type { JsonObject } from "@bufbuild/protobuf";
import { LIMITS } from "../../src/limits.ts";
import { MAX_DOMAINS } from "../../src/orgs/domains/change-org-domain.ts";
import { validateOrgDomain } from "../../src/orgs/domains/validate-org-domain.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { createPrincipalCall } from "../support/operations/principal.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const DNS = "DOMAIN_VALIDATION_TYPE_DNS";

let service: TestService;
let rest: Caller;
beforeAll(async () => {
  service = await startService("postgres");
  rest = createCaller("rest", service, service.adminToken);
});
afterAll(async () => {
  rest?.close();
  await service?.close();
});

let count = 0;
const newDomain = () => `domain-${++count}.example`;

async function send(rpc: Rpc, request: JsonObject, orgId = service.orgId, caller = rest): Promise<JsonObject> {
  const outcome = await caller.call(rpc, request, { "x-service-orgid": orgId });
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
}

const reasonOf = async (rpc: Rpc, request: JsonObject, orgId = service.orgId) => {
  const outcome = await rest.call(rpc, request, { "x-service-orgid": orgId });
  return outcome.ok ? "ok" : outcome.reason;
};

/** Adds a domain, and publishes its token. */
async function newProvenDomain(domain = newDomain(), orgId = service.orgId): Promise<string> {
  await send("AddOrgDomain", { domain }, orgId);
  await prove(domain, orgId);
  return domain;
}

async function prove(domain: string, orgId = service.orgId): Promise<void> {
  const { token, url } = await send("GenerateOrgDomainValidation", { domain, type: DNS }, orgId);
  service.dns.records.set(String(url), ["v=spf1 -all", String(token)]);
}

async function domainOf(domain: string, orgId = service.orgId): Promise<JsonObject | undefined> {
  const queries = [{ domainNameQuery: { name: domain } }];
  const { result = [] } = (await send("ListOrgDomains", { queries }, orgId)) as { result?: JsonObject[] };
  return result[0];
}

async function eventsOf(orgId: string) {
  const events = await service.db
    .selectFrom("events")
    .select(["sequence", "type", "payload", "editor_id"])
    .where("aggregate_id", "=", orgId)
    .orderBy("sequence")
    .execute();
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => BigInt(index + 1)));
  return events.map(({ type, payload }) => [type, payload]);
}

test("a domain is added, proved with a TXT record, made the primary one, and removed", async () => {
  const caller = createCaller("grpc", service, service.adminToken);
  const orgId = await service.createOrg("Acme");
  const domain = newDomain();
  const call = (rpc: Rpc, request: JsonObject) => send(rpc, request, orgId, caller);
  const details = (sequence: string) => ({ details: { sequence, resourceOwner: orgId } });
  expect(await call("AddOrgDomain", { domain: ` ${domain.toUpperCase()}. ` })).toMatchObject(details("2"));
  const generated = await call("GenerateOrgDomainValidation", { domain, type: DNS });
  expect(generated).toMatchObject({
    ...details("3"),
    token: expect.stringMatching(/^[\w-]{22}$/),
    url: `_signet-challenge.${domain}`,
  });
  service.dns.records.set(String(generated.url), [String(generated.token)]);
  expect(await call("ValidateOrgDomain", { domain })).toMatchObject(details("4"));
  expect(await call("SetPrimaryOrgDomain", { domain })).toMatchObject(details("5"));
  expect(await call("ListOrgDomains", {})).toMatchObject({
    details: { totalResult: "1" },
    result: [{ orgId, ...details("4"), domainName: domain, isVerified: true, isPrimary: true, validationType: DNS }],
  });
  expect(await call("GetMyOrg", {})).toMatchObject({ org: { primaryDomain: domain } });
  expect(await call("RemoveOrgDomain", { domain })).toMatchObject(details("6"));
  expect(((await call("GetMyOrg", {})).org as JsonObject).primaryDomain ?? "").toBe("");
  expect((await call("ListOrgDomains", {})).result ?? []).toEqual([]);
  expect((await eventsOf(orgId)).slice(1)).toEqual([
    ["org.domain.added", { domain }],
    ["org.domain.verification.added", { domain, type: "dns" }],
    ["org.domain.verified", { domain }],
    ["org.domain.primary.set", { domain }],
    ["org.domain.removed", { domain }],
  ]);
  caller.close();
});

test("a domain without its token is not verified, and the error says what was looked for", async () => {
  const domain = newDomain();
  await send("AddOrgDomain", { domain });
  const outcome = () => rest.call("ValidateOrgDomain", { domain });
  expect(await outcome()).toMatchObject({ ok: false, reason: "ORG_DOMAIN_NOT_PROVED" });
  const { url } = await send("GenerateOrgDomainValidation", { domain, type: DNS });
  expect(await outcome()).toMatchObject({
    reason: "ORG_DOMAIN_NOT_PROVED",
    message: expect.stringContaining("ENOTFOUND"),
  });
  service.dns.records.set(String(url), ["another text"]);
  const message = expect.stringContaining(`no TXT record of _signet-challenge.${domain} contains the token`);
  expect(await outcome()).toMatchObject({ reason: "ORG_DOMAIN_NOT_PROVED", message });
  expect((await domainOf(domain))?.isVerified ?? false).toBe(false);
});

test("a verified domain belongs to one organization, and only the proof tells that it is taken", async () => {
  const domain = await newProvenDomain();
  await send("ValidateOrgDomain", { domain });
  const other = await service.createOrg(`Other ${domain}`);
  await send("AddOrgDomain", { domain }, other);
  const { token, url } = await send("GenerateOrgDomainValidation", { domain, type: DNS }, other);
  expect(await reasonOf("ValidateOrgDomain", { domain }, other)).toBe("ORG_DOMAIN_NOT_PROVED");
  service.dns.records.set(String(url), [String(token)]);
  expect(await reasonOf("ValidateOrgDomain", { domain }, other)).toBe("ORG_DOMAIN_TAKEN");
  await send("RemoveOrgDomain", { domain });
  await send("ValidateOrgDomain", { domain }, other);
  expect(await domainOf(domain, other)).toMatchObject({ isVerified: true });
});

test("of two organizations that prove a domain at the same time, one gets it", async () => {
  const domain = newDomain();
  const orgs = await Promise.all([1, 2].map((number) => service.createOrg(`Race ${domain} ${number}`)));
  const tokens: string[] = [];
  for (const orgId of orgs) {
    await send("AddOrgDomain", { domain }, orgId);
    tokens.push(String((await send("GenerateOrgDomainValidation", { domain, type: DNS }, orgId)).token));
  }
  service.dns.records.set(`_signet-challenge.${domain}`, tokens);
  const reasons = await Promise.all(orgs.map((orgId) => reasonOf("ValidateOrgDomain", { domain }, orgId)));
  expect(reasons.sort()).toEqual(["ORG_DOMAIN_TAKEN", "ok"]);
});

test("a token that is replaced during its check does not count", async () => {
  const domain = await newProvenDomain();
  const proveDomain = async () => {
    await send("GenerateOrgDomainValidation", { domain, type: DNS });
    return undefined;
  };
  const { db, clock, adminId, instanceId, orgId } = service;
  const call = createPrincipalCall({ userId: adminId, instanceId, orgId });
  const validated = validateOrgDomain({ db, clock, proveDomain }, { domain }, call);
  await expect(validated).rejects.toMatchObject({ reason: "ABORTED" });
  expect((await domainOf(domain))?.isVerified ?? false).toBe(false);
});

test("a domain that is added during a call to validate it is not verified", async () => {
  const { db, orgId } = service;
  const domain = newDomain();
  let reason: Promise<string | undefined> | undefined;
  await db.transaction().execute(async (transaction) => {
    await transaction.selectFrom("orgs").select("id").where("id", "=", orgId).forNoKeyUpdate().execute();
    reason = reasonOf("ValidateOrgDomain", { domain });
    await Promise.race([reason, untilBlocked(db)]);
    const now = new Date();
    const added = { org_id: orgId, name: domain, sequence: 1n, created_at: now, changed_at: now };
    await transaction.insertInto("org_domains").values(added).execute();
  });
  expect(await reason).toBe("ABORTED");
  expect((await domainOf(domain))?.isVerified ?? false).toBe(false);
});

test("calls about a domain that is not in the right state fail without an effect", async () => {
  const verified = await newProvenDomain();
  await send("ValidateOrgDomain", { domain: verified });
  const unverified = newDomain();
  await send("AddOrgDomain", { domain: unverified });
  const cases = [
    ["AddOrgDomain", unverified, "ORG_DOMAIN_EXISTS"],
    ["AddOrgDomain", verified, "ORG_DOMAIN_EXISTS"],
    ["GenerateOrgDomainValidation", verified, "ORG_DOMAIN_VERIFIED"],
    ["ValidateOrgDomain", verified, "ORG_DOMAIN_VERIFIED"],
    ["SetPrimaryOrgDomain", unverified, "ORG_DOMAIN_NOT_VERIFIED"],
    ["GenerateOrgDomainValidation", newDomain(), "ORG_DOMAIN_NOT_FOUND"],
    ["ValidateOrgDomain", newDomain(), "ORG_DOMAIN_NOT_FOUND"],
    ["SetPrimaryOrgDomain", newDomain(), "ORG_DOMAIN_NOT_FOUND"],
    ["RemoveOrgDomain", newDomain(), "ORG_DOMAIN_NOT_FOUND"],
    ["RemoveOrgDomain", "no domain at all", "ORG_DOMAIN_NOT_FOUND"],
  ] as const;
  for (const [rpc, domain, reason] of cases) {
    const request = { domain, ...(rpc === "GenerateOrgDomainValidation" && { type: DNS }) };
    await expectError(service.db, "rest", () => rest.call(rpc, request), reason);
  }
});

test.each([
  "localhost",
  "example",
  "127.0.0.1",
  "[::1]",
  "*.example.com",
  "-a.example",
  "a..example",
  "exa mple.com",
  "https://example.com",
  "example.com:443",
  "example.com/path",
  "user@example.com",
  `${"a".repeat(64)}.example`,
])("%j is not a domain", async (domain) => {
  await expectError(service.db, "rest", () => rest.call("AddOrgDomain", { domain }), "INVALID_ARGUMENT", ["domain"]);
});

test("an internationalized domain is stored in ASCII, and found in both forms", async () => {
  await send("AddOrgDomain", { domain: "Bücher.example" });
  expect(await domainOf("xn--bcher-kva.example")).toMatchObject({ domainName: "xn--bcher-kva.example" });
  await send("RemoveOrgDomain", { domain: "BÜCHER.example" });
});

test("a type is required for a token", async () => {
  const domain = newDomain();
  await send("AddOrgDomain", { domain });
  const call = () => rest.call("GenerateOrgDomainValidation", { domain });
  await expectError(service.db, "rest", call, "INVALID_ARGUMENT", ["type"]);
});

test("a list is sorted, filtered and paged, and shows no domain of another organization", async () => {
  const [orgId, other] = [await service.createOrg("Listed"), await service.createOrg("Not listed")];
  for (const domain of ["b.example", "a.example", "c.test"]) await send("AddOrgDomain", { domain }, orgId);
  await send("AddOrgDomain", { domain: "d.example" }, other);
  const namesOf = ({ result = [] }: { result?: JsonObject[] }) => result.map(({ domainName }) => domainName);
  expect(namesOf(await send("ListOrgDomains", {}, orgId))).toEqual(["c.test", "b.example", "a.example"]);
  const method = "TEXT_QUERY_METHOD_ENDS_WITH_IGNORE_CASE";
  const queries = [{ domainNameQuery: { name: ".EXAMPLE", method } }];
  expect(namesOf(await send("ListOrgDomains", { queries }, orgId))).toEqual(["b.example", "a.example"]);
  const page = async (query: JsonObject) =>
    await send("ListOrgDomains", { query: { limit: 2, asc: true, ...query } }, orgId);
  const first = await page({});
  expect(namesOf(first)).toEqual(["a.example", "b.example"]);
  const { nextPageToken: pageToken = "" } = first.details as JsonObject;
  expect(namesOf(await page({ pageToken }))).toEqual(["c.test"]);
});

test("an organization has at most a hundred domains", async () => {
  const orgId = await service.createOrg("Many domains");
  for (let number = 0; number < MAX_DOMAINS; number++) await send("AddOrgDomain", { domain: newDomain() }, orgId);
  const headers = { "x-service-orgid": orgId };
  const call = () => rest.call("AddOrgDomain", { domain: newDomain() }, headers);
  await expectError(service.db, "rest", call, "TOO_MANY_DOMAINS");
});

test("an organization can check its domains a limited number of times per hour", async () => {
  const orgId = await service.createOrg("Impatient");
  const domain = newDomain();
  await send("AddOrgDomain", { domain }, orgId);
  await send("GenerateOrgDomainValidation", { domain, type: DNS }, orgId);
  const reasons: (string | undefined)[] = [];
  for (let number = 0; number <= LIMITS.domainChecks.most; number++) {
    reasons.push(await reasonOf("ValidateOrgDomain", { domain }, orgId));
  }
  expect(new Set(reasons.slice(0, -1))).toEqual(new Set(["ORG_DOMAIN_NOT_PROVED"]));
  expect(reasons.at(-1)).toBe("TOO_MANY_DOMAIN_CHECKS");
  const asked = service.dns.asked.length;
  expect(await reasonOf("ValidateOrgDomain", { domain }, orgId)).toBe("TOO_MANY_DOMAIN_CHECKS");
  expect(service.dns.asked).toHaveLength(asked);
  // Other organizations have their own limit.
  const other = await service.createOrg("Patient");
  await send("ValidateOrgDomain", { domain: await newProvenDomain(newDomain(), other) }, other);
  service.clockOffsetMs += 3_600_000;
  expect(await reasonOf("ValidateOrgDomain", { domain }, orgId)).toBe("ORG_DOMAIN_NOT_PROVED");
});
