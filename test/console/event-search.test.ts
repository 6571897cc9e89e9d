import { toLocalTime } from "../../console/parts/local-time.ts";
import { EVENT_KINDS } from "../../console/screens/audit/event-kinds.ts";
import { readEventSearch, toEventRequest, toTimeParameter } from "../../console/screens/audit/event-search.ts";
import { countHours, startOfHour, sumOf } from "../../console/screens/audit/hour-counts.ts";
import { EN_MESSAGES } from "../../console/texts/en/messages.ts";
import { VALID_SECONDS } from "../../src/codes/kinds.ts";
import { EVENT_TEXTS } from "../../src/events/catalogue.ts";
import { REGISTRATION_KINDS } from "../../src/messages/registration-message.ts";
import { TEXTS } from "../../src/texts/languages.ts";

const read = (query: string) => readEventSearch(new URLSearchParams(query));

test("the kinds consist of types that the service records", () => {
  const types = Object.values(EVENT_KINDS).flat();
  expect(types.filter((type) => !Object.hasOwn(EVENT_TEXTS, type))).toEqual([]);
});

test("each kind of message has words", () => {
  const kinds = [
    ...Object.keys(VALID_SECONDS).filter((kind) => kind !== "passkey"),
    ...Object.keys(TEXTS.en.messages.notices.kinds),
    ...REGISTRATION_KINDS,
  ];
  expect(kinds.filter((kind) => !Object.hasOwn(EN_MESSAGES.kinds, kind))).toEqual([]);
});

test("without a query, the latest events are listed", () => {
  expect(toEventRequest(read(""))).toEqual({
    sequence: 0n,
    limit: 50,
    eventTypes: [],
    aggregateId: "",
    editorUserId: "",
  });
});

test("the address determines the filters and the page", () => {
  const request = toEventRequest(read("kind=failures&object=+a+&actor=b&since=2026-11-26T10:00:00.000Z&before=17"));
  expect(request).toMatchObject({ sequence: 17n, aggregateId: "a", editorUserId: "b" });
  expect(request.eventTypes).toContain("user.human.password.check.failed");
  expect(request.creationDateFilter).toEqual({
    case: "range",
    value: { since: expect.objectContaining({ seconds: 1_795_687_200n }) },
  });
  expect(toEventRequest(read("kind=failures&type=user.locked")).eventTypes).toEqual(["user.locked"]);
});

test("values that do not exist are ignored", () => {
  expect(read("kind=constructor&since=yesterday&before=-1&until=&open=")).toEqual({ ...read(""), open: "" });
  expect(read("before=99999999999999999999").before).toBeUndefined();
});

test("only the latest events are followed", () => {
  expect(read("follow=1").follows).toBe(true);
  expect(read("follow=1&before=3").follows).toBe(false);
});

test("a time in a field has the zone of the browser, and in the address UTC", () => {
  const date = new Date("2026-11-26T10:30:00Z");
  expect(toTimeParameter(toLocalTime(date))).toBe(date.toISOString());
  expect(toTimeParameter("")).toBeUndefined();
  expect(toTimeParameter("soon")).toBeUndefined();
});

test("times are counted in 24 hours, of which the last is the current one", () => {
  const now = new Date("2026-11-26T10:30:00Z");
  const at = (time: string) => new Date(`2026-11-${time}Z`);
  const times = [at("26T10:05:00"), at("26T10:59:59"), at("25T11:00:00"), at("25T10:59:59")];
  const counts = [...times.map((time) => ({ time, count: 1 })), { time: at("26T10:00:00"), count: 3 }];
  const start = startOfHour(now, -23);
  const hours = countHours(counts, start);
  expect(hours).toHaveLength(24);
  expect(hours[0]).toMatchObject({ start: at("25T11:00:00"), count: 1 });
  expect(hours[23]).toMatchObject({ start: at("26T10:00:00"), count: 5 });
  expect(sumOf(hours)).toBe(6);
});
