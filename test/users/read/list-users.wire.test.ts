import type { JsonObject } from "@bufbuild/protobuf";
import { ensureMachineUser } from "../../../src/users/machine/ensure-machine-user.ts";
import { type Caller, createCaller } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { BCRYPT, HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import {
  ADA,
  ALAN_T,
  ALANXT,
  GRACE,
  KATHE,
  LIST_CASES,
  LISTED,
  MACHINE,
  REJECTED_LISTS,
  STATES,
} from "./list-users.cases.ts";

/** By sorting column. Users with the same key are sorted by id, and are not part of the cases. */
const SORTED: readonly (readonly [string, readonly string[]])[] = [
  ["USER_FIELD_NAME_UNSPECIFIED", [MACHINE, ADA, GRACE, ALAN_T, ALANXT, KATHE]],
  ["USER_FIELD_NAME_CREATION_DATE", [MACHINE, ADA, GRACE, ALAN_T, ALANXT, KATHE]],
  ["USER_FIELD_NAME_USER_NAME", [ADA, ALAN_T, ALANXT, GRACE, KATHE, MACHINE]],
  ["USER_FIELD_NAME_LAST_NAME", [MACHINE, GRACE, ALANXT, ADA, ALAN_T, KATHE]],
  ["USER_FIELD_NAME_DISPLAY_NAME", [MACHINE, ADA, ALANXT, ALAN_T, GRACE, KATHE]],
  ["USER_FIELD_NAME_EMAIL", [MACHINE, ADA, ALAN_T, ALANXT, GRACE, KATHE]],
];

interface ListResponse {
  readonly details?: {
    totalResult?: string;
    nextPageToken?: string;
    processedSequence?: string;
    viewTimestamp: string;
  };
  readonly result?: readonly { readonly id: string; readonly userName: string }[];
}

let service: TestService;
let caller: Caller;
let orgs: { own: string; other: string };
let ids: Record<string, string>;

beforeAll(async () => {
  service = await startService("postgres");
  service.secret(BCRYPT);
  orgs = { own: await service.createOrg("Own"), other: await service.createOrg("Other") };
  caller = createCaller("grpc", service, service.adminToken);
  for (const orgId of [orgs.other, orgs.own]) {
    ids = { [MACHINE]: (await ensureMachineUser({ db: service.db, clock: () => new Date() }, orgId, MACHINE)).id };
    for (const human of LISTED) {
      // Their times of creation differ.
      service.clockOffsetMs += 10;
      const request = { ...HUMAN, ...human } as unknown as JsonObject;
      const outcome = await caller.call("ImportHumanUser", request, { "x-service-orgid": orgId });
      if (!outcome.ok) throw new Error(outcome.message);
      ids[human.userName] = String(outcome.message.userId);
    }
  }
  for (const [userName, state] of Object.entries(STATES)) {
    await service.db.updateTable("users").set({ state }).where("user_name", "=", userName).execute();
  }
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const list = async (request: JsonObject, orgId = orgs.own): Promise<ListResponse> => {
  const outcome = await caller.call("ListUsers", request, { "x-service-orgid": orgId });
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message} ${outcome.fields}`);
  return outcome.message as unknown as ListResponse;
};
const namesOf = ({ result = [] }: ListResponse) => result.map(({ userName }) => userName);

test.each(LIST_CASES)("finds $title", async ({ queries, found }) => {
  const response = await list({ queries: [...queries] });
  expect([...namesOf(response)].sort()).toEqual([...found].sort());
  expect(response.details?.totalResult ?? "0").toBe(String(found.length));
  for (const { id, userName } of response.result ?? []) expect(id).toBe(ids[userName]);
});

test("finds users by their ids, and none of another organization", async () => {
  const queries = [{ inUserIdsQuery: { userIds: [String(ids.Ada).toUpperCase(), String(ids.grace)] } }];
  expect([...namesOf(await list({ queries }))].sort()).toEqual([ADA, GRACE]);
  expect(namesOf(await list({ queries }, orgs.other))).toEqual([]);
});

test.each(SORTED)("sorts by %s", async (sortingColumn, names) => {
  const ascending = await list({ sortingColumn, query: { asc: true } });
  expect(namesOf(ascending)).toEqual(names);
  const descending = await list({ sortingColumn });
  expect(namesOf(descending)).toEqual([...names].reverse());
  const skipped = await list({ sortingColumn, query: { asc: true, offset: "2", limit: 3 } });
  expect(namesOf(skipped)).toEqual(names.slice(2, 5));
});

test("returns pages by token, each user once, and the total with each page", async () => {
  const names: string[] = [];
  let pageToken = "";
  do {
    const { details, ...page } = await list({
      query: { limit: 2, pageToken },
      queries: [{ typeQuery: { type: "TYPE_HUMAN" } }],
    });
    names.push(...namesOf(page));
    expect(details).toMatchObject({ totalResult: "5", processedSequence: expect.stringMatching(/^[1-9]/) });
    expect(details?.viewTimestamp).toMatch(/^\d{4}-/);
    pageToken = details?.nextPageToken ?? "";
  } while (pageToken !== "");
  expect(names).toEqual([KATHE, ALANXT, ALAN_T, GRACE, ADA]);
});

test.each(REJECTED_LISTS)("rejects $title", async ({ request, fields }) => {
  const call = () => caller.call("ListUsers", request);
  await expectError(service.db, "grpc", call, "INVALID_ARGUMENT", fields);
});

test("rejects a page token of another list", async () => {
  const { details } = await list({ query: { limit: 2 } });
  const pageToken = details?.nextPageToken ?? "";
  const others: [JsonObject, string][] = [
    [{ query: { pageToken }, sortingColumn: "USER_FIELD_NAME_EMAIL" }, orgs.own],
    [{ query: { pageToken, asc: true } }, orgs.own],
    [{ query: { pageToken }, queries: [{ typeQuery: { type: "TYPE_HUMAN" } }] }, orgs.own],
    [{ query: { pageToken } }, orgs.other],
  ];
  for (const [request, orgId] of others) {
    const call = () => caller.call("ListUsers", request, { "x-service-orgid": orgId });
    await expectError(service.db, "grpc", call, "INVALID_ARGUMENT", ["query.pageToken"]);
  }
  const both = () => caller.call("ListUsers", { query: { pageToken, offset: "1" } }, { "x-service-orgid": orgs.own });
  await expectError(service.db, "grpc", both, "INVALID_ARGUMENT", ["query.offset"]);
  expect(namesOf(await list({ query: { pageToken, limit: 3 } }))).toEqual([ALAN_T, GRACE, ADA]);
});
