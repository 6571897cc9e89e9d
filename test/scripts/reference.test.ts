import { ImportHumanUserRequest_ProfileSchema } from "../../gen/signet/v1/management_pb.js";
import { UpdateHumanProfileRequestSchema } from "../../gen/signet/v1/user_change_pb.js";
import { ProfileSchema } from "../../gen/signet/v1/user_pb.js";
import { CALL_EVENTS } from "../../scripts/reference/call-events.ts";
import { EVENT_PAYLOADS } from "../../scripts/reference/event-payloads.ts";
import { PROFILE } from "../../src/database/profile.ts";
import { EVENT_TEXTS } from "../../src/events/catalogue.ts";
import { isReadPermission } from "../../src/roles.ts";
import { createRpcs, type RpcParts } from "../../src/rpcs.ts";

const RPCS = createRpcs({} as RpcParts);

test("the reference has the events of each call that changes data, and of no other, which the catalog has", () => {
  const writing = RPCS.filter(({ permission }) => !isReadPermission(permission)).map(({ desc }) => desc.name);
  expect(Object.keys(CALL_EVENTS).sort()).toEqual([...new Set(writing)].sort());
  const types = Object.values(CALL_EVENTS).flatMap((text) => text.match(/\b(?:app|instance|org|user)\.[a-z.]+/g) ?? []);
  const named = types.map((type) => type.replace(/\.$/, ""));
  expect(named.filter((type) => !Object.hasOwn(EVENT_TEXTS, type))).toEqual([]);
  expect(named.length).toBeGreaterThan(100);
});

test("the reference has the payload of each event once", () => {
  const types = EVENT_PAYLOADS.flatMap(([shared]) => shared);
  expect([...types].sort()).toEqual(Object.keys(EVENT_TEXTS).sort());
  expect(types.length).toBeGreaterThan(100);
});

test.each([
  ["the message of an import", ImportHumanUserRequest_ProfileSchema.fields],
  ["the message of a change", UpdateHumanProfileRequestSchema.fields.filter(({ name }) => name !== "user_id")],
  ["the message of a response", ProfileSchema.fields.filter(({ localName }) => localName !== "avatarUrl")],
] as const)("the table of profile fields and %s agree", (_, fields) => {
  expect(fields.map(({ localName, name }) => [localName, name]).sort()).toEqual(
    Object.entries(PROFILE)
      .map(([localName, { column }]) => [localName, column])
      .sort(),
  );
});

test("the payload of a changed profile has each profile field", () => {
  const [, payload = ""] = EVENT_PAYLOADS.find(([types]) => types.includes("user.human.profile.changed")) ?? [];
  expect(Object.keys(PROFILE).filter((name) => !payload.includes(`\`${name}\``))).toEqual([]);
});
