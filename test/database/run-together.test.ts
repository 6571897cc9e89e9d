import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { Kysely, PostgresDialect } from "kysely";
import { DatabaseError, Pool } from "pg";
import { type QueryCaller, UNCONFIRMED } from "../../src/call.ts";
import { createCommandList, type ListValues } from "../../src/database/command-list.ts";
import { REMEMBERED_CALLERS } from "../../src/database/confirm-callers.ts";
import { toSignetError } from "../../src/database/failure.ts";
import { type CommandKind, createRunTogether, type RunTogether } from "../../src/database/run-together.ts";
import type { Tables } from "../../src/database/tables.ts";
import type { SignetError } from "../../src/errors.ts";

interface Command {
  readonly org: string;
  readonly object: string;
}
type TestResponse = { readonly response: string };

/** A statement that the database received. */
interface Sent {
  readonly objects: readonly string[];
  readonly isShort: boolean;
  succeed(): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** Never used: the statements below replace the database. */
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new Pool() }) });
/** The number of statements that start one after another. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => process.nextTick(resolve));
};

let sent: Sent[];
let runTogether: RunTogether;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["nextTick"] });
  sent = [];
  runTogether = createRunTogether(db);
});
afterEach(() => {
  jest.useRealTimers();
});

/** A statement that gets its connection in the next tick, and returns when the test lets it. */
const WRITING: CommandKind<Command, TestResponse> = {
  name: "write",
  list: createCommandList<Command>({ org: "text", object: "text" }),
  async statement(_db, values, caller) {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    caller?.throwIfOver();
    const { commands, fitShortForm = false } = typeof values === "function" ? values() : values;
    const objects = (JSON.parse(commands) as string[][]).map(([, object = ""]) => object);
    return await new Promise((resolve, reject) => {
      sent.push({
        objects,
        isShort: fitShortForm,
        async succeed() {
          resolve(objects.map((object, index) => ({ number: index + 1, response: object.toUpperCase() })).toReversed());
          await settle();
        },
        async fail(error) {
          // Like `runQuery`.
          try {
            caller?.throwIfOver();
            reject(error);
          } catch (gone) {
            reject(gone);
          }
          await settle();
        },
      });
    });
  },
  toGroup: ({ org }) => org,
  toKeys: ({ object }) => [object],
};
const READING: CommandKind<Command, TestResponse> = { ...WRITING, isReading: true };

/** A command and its outcome. */
interface Given {
  response: string | undefined;
  error: unknown;
}

function give(object: string, { org = "org", kind = WRITING, caller }: Options = {}): Given {
  const given: Given = { response: undefined, error: undefined };
  runTogether(kind, { org, object }, caller).then(
    (row) => Object.assign(given, row),
    (error) => Object.assign(given, { error }),
  );
  return given;
}
interface Options {
  readonly org?: string;
  readonly kind?: CommandKind<Command, TestResponse>;
  readonly caller?: QueryCaller;
}

const giveAll = (objects: readonly string[], options?: Options) => objects.map((object) => give(object, options));
const names = (count: number, prefix = "") => Array.from({ length: count }, (_, number) => `${prefix}${number}`);
const objectsOf = (from = 0) => sent.slice(from).map(({ objects }) => objects);
const responsesOf = (given: readonly Given[]) => given.map(({ response, error }) => response ?? error);

function refusal(code: string, constraint?: string): SignetError {
  const error = new DatabaseError("quotes a row", 1, "error");
  return toSignetError(Object.assign(error, { code, constraint, severity: "ERROR" }));
}

function leaver() {
  const over = new Error("the call is over");
  const caller = {
    isOver: false,
    throwIfOver() {
      if (caller.isOver) throw over;
    },
  };
  return { caller, over };
}

describe("commands of one organization", () => {
  test("share a statement when they arrive together, and each gets its own row", async () => {
    const given = giveAll(["a", "b", "c"]);
    await settle();
    expect(objectsOf()).toEqual([["a", "b", "c"]]);
    await sent[0]?.succeed();
    expect(responsesOf(given)).toEqual(["A", "B", "C"]);
  });

  test("run immediately when they are alone, and wait for the next statement while two are in flight", async () => {
    for (const object of ["a", "b", "c", "d"]) {
      give(object);
      await settle();
    }
    expect(objectsOf()).toEqual([["a"], ["b"]]);
    await sent[0]?.succeed();
    expect(objectsOf(2)).toEqual([["c", "d"]]);
  });

  test("use the short form of the statement if all of them fit it", async () => {
    const kind = { ...WRITING, fitsShortForm: ({ object }: Command) => object !== "long" };
    for (const objects of [["a"], ["b"], ["c", "d"]]) {
      for (const object of objects) void runTogether(kind, { org: "o", object });
      await settle();
    }
    void runTogether(kind, { org: "o", object: "long" });
    await sent[0]?.succeed();
    expect(sent.map(({ objects, isShort }) => [objects, isShort])).toEqual([
      [["a"], true],
      [["b"], true],
      [["c", "d", "long"], false],
    ]);
    await sent[1]?.succeed();
    await sent[2]?.succeed();
    void runTogether(WRITING, { org: "o", object: "a" });
    await settle();
    expect(sent[3]?.isShort).toBe(false);
  });

  test("are at most 128 in a statement", async () => {
    giveAll(names(300));
    await settle();
    expect(sent.map(({ objects }) => objects.length)).toEqual([128, 128]);
    await sent[0]?.succeed();
    expect(sent[2]?.objects).toHaveLength(44);
  });

  test("have at most 256 kB in a statement, or one command", async () => {
    giveAll([...names(4, "x".repeat(100_000)), "y".repeat(300_000)]);
    await settle();
    expect(sent.map(({ objects }) => objects.length)).toEqual([2, 2]);
    await sent[0]?.succeed();
    expect(sent[2]?.objects).toHaveLength(1);
  });

  test("with the same object run one after another, in order of arrival", async () => {
    giveAll(["a", "b", "a"]);
    await settle();
    give("c");
    give("a");
    await settle();
    expect(objectsOf()).toEqual([["a", "b"], ["c"]]);
    await sent[1]?.succeed();
    expect(sent).toHaveLength(2);
    await sent[0]?.succeed();
    expect(objectsOf(2)).toEqual([["a"]]);
    await sent[2]?.succeed();
    expect(objectsOf(3)).toEqual([["a"]]);
  });

  test("never share a statement with commands of another, or wait for them", async () => {
    giveAll(["a", "b"], { org: "one" });
    await settle();
    giveAll(["c", "d"], { org: "one" });
    await settle();
    giveAll(["e"], { org: "one" });
    giveAll(["a", "f"], { org: "other" });
    await settle();
    expect(objectsOf()).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["a", "f"],
    ]);
  });
});

describe("a statement that fails", () => {
  test("because of its commands, has each of them run separately", async () => {
    const given = giveAll(["a", "b", "c"]);
    await settle();
    const taken = refusal("23505", "user_idp_links__pkey");
    await sent[0]?.fail(taken);
    expect(objectsOf(1)).toEqual([["a"], ["b"], ["c"]]);
    await sent[1]?.succeed();
    await sent[2]?.fail(taken);
    await sent[3]?.succeed();
    expect(responsesOf(given)).toEqual(["A", taken, "C"]);
  });

  test("because it took too long, has each of them run separately", async () => {
    giveAll(["a", "b"]);
    await settle();
    await sent[0]?.fail(refusal("57014"));
    expect(objectsOf(1)).toEqual([["a"], ["b"]]);
  });

  test.each([
    ["the connection broke", new Error("Connection terminated unexpectedly")],
    ["the answer is unknown", new Error("Query read timeout")],
    ["the database stops", refusal("57P01")],
    ["the disk is full", refusal("53100")],
  ])("because %s, has none of them run again", async (_, cause) => {
    const error = toSignetError(cause);
    const given = giveAll(["a", "b"]);
    await settle();
    await sent[0]?.fail(error);
    expect(sent).toHaveLength(1);
    expect(responsesOf(given)).toEqual([error, error]);
    expect(error.reason).toBe("UNAVAILABLE");
  });

  test("makes the next ones smaller, until statements succeed again", async () => {
    giveAll(names(8));
    await settle();
    const conflict = refusal("23505");
    await sent[0]?.fail(conflict);
    giveAll(names(20, "next"));
    for (let index = 1; index <= 8; index++) await sent[index]?.fail(conflict);
    expect(sent[9]?.objects).toHaveLength(4);
    await sent[9]?.succeed();
    await sent[10]?.succeed();
    expect(Math.max(...objectsOf(10).map(({ length }) => length))).toBeGreaterThan(4);
  });
});

describe("remembered callers", () => {
  const TOKEN_HASH = Object.keys(REMEMBERED_CALLERS.columns).indexOf("tokenHash");
  const toCaller = (token: string) => {
    const roles = { instanceId: "instance", instanceRoles: [], orgId: "org", orgRoles: ["ORG_OWNER"] };
    return { throwIfOver() {}, unconfirmed: { tokenHash: token, now: new Date(0), ...roles } };
  };
  /** Confirms the callers whose tokens are still valid. */
  const toKind = (valid: ReadonlySet<string>, lists: (readonly string[])[]): CommandKind<Command, TestResponse> => ({
    ...WRITING,
    statement: Object.assign(
      async (_db: unknown, values: ListValues | (() => ListValues)) => {
        const { commands, callers = "[]" } = typeof values === "function" ? values() : values;
        const tokens = (JSON.parse(callers) as string[][]).map((caller) => caller[TOKEN_HASH] ?? "");
        lists.push(tokens);
        const objects = (JSON.parse(commands) as string[][]).map(([, object = ""]) => object);
        if (!tokens.every((token) => valid.has(token))) return [];
        return objects.map((object, index) => ({ number: index + 1, response: object.toUpperCase() }));
      },
      { confirmsCallers: true },
    ),
  });

  test("are confirmed once by each statement, by their tokens", async () => {
    const lists: string[][] = [];
    const kind = toKind(new Set(["a", "b"]), lists);
    const given = ["a", "b", "a", "b", "a"].map((token, number) =>
      give(`${number}`, { kind, caller: toCaller(token) }),
    );
    await settle();
    expect(responsesOf(given)).toEqual(["0", "1", "2", "3", "4"]);
    expect(lists.flat().length).toBeLessThan(5);
    expect(lists.every((tokens) => new Set(tokens).size === tokens.length)).toBe(true);
  });

  test("that are not confirmed do not affect the other commands of the statement", async () => {
    const kind = toKind(new Set(["a"]), []);
    const first = [give("first", { kind }), give("second", { kind })];
    const given = [
      give("x", { kind, caller: toCaller("a") }),
      give("y", { kind, caller: toCaller("revoked") }),
      give("z", { kind }),
    ];
    await settle();
    await settle();
    expect(responsesOf(first)).toEqual(["FIRST", "SECOND"]);
    expect(responsesOf(given)).toEqual(["X", UNCONFIRMED, "Z"]);
  });

  test("count as confirmed for the statements that follow", async () => {
    const lists: string[][] = [];
    const kind = toKind(new Set(["a"]), lists);
    const caller = toCaller("a");
    give("first", { kind, caller });
    await settle();
    give("second", { kind, caller });
    await settle();
    expect(lists).toEqual([["a"], []]);
  });

  test("cannot run commands that do not confirm them", async () => {
    const given = [give("write", { caller: toCaller("a") }), give("read", { kind: READING, caller: toCaller("a") })];
    await settle();
    expect(sent).toEqual([]);
    expect(given.map(({ error }) => error)).toEqual([
      new Error("write does not confirm its callers"),
      new Error("write does not confirm its callers"),
    ]);
  });
});

describe("callers that disconnect", () => {
  test("are not in a statement that is sent after they have disconnected", async () => {
    giveAll(["a", "b"]);
    await settle();
    give("c");
    await settle();
    const { caller, over } = leaver();
    const left = give("d", { caller });
    give("e");
    caller.isOver = true;
    await sent[0]?.succeed();
    expect(objectsOf(2)).toEqual([["e"]]);
    expect(left.error).toBe(over);
  });

  test("cause no statement if all of them have disconnected", async () => {
    const { caller, over } = leaver();
    const left = giveAll(["a", "b"], { caller });
    caller.isOver = true;
    await settle();
    await jest.advanceTimersByTimeAsync(200);
    expect(sent).toEqual([]);
    expect(responsesOf(left)).toEqual([over, over]);
    give("c");
    await settle();
    expect(objectsOf()).toEqual([["c"]]);
  });

  test("get their own error if their statement fails", async () => {
    const { caller, over } = leaver();
    const left = give("a", { caller });
    await settle();
    caller.isOver = true;
    await sent[0]?.fail(refusal("40001"));
    expect(left.error).toBe(over);
  });

  test("are forgotten while no statement ends", async () => {
    giveAll(["a"]);
    await settle();
    give("b");
    await settle();
    const { caller, over } = leaver();
    const left = give("c", { caller });
    caller.isOver = true;
    await jest.advanceTimersByTimeAsync(100);
    expect(left.error).toBe(over);
  });
});

describe("while the database is slow", () => {
  const BUSY = { reason: "UNAVAILABLE", retryAfterMs: 1_000 };

  test("a statement that waits for a lock does not delay others of its organization", async () => {
    giveAll(["a"]);
    await settle();
    giveAll(["b"]);
    await settle();
    giveAll(["a", "c"]);
    await settle();
    expect(sent).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(300);
    expect(objectsOf(2)).toEqual([["c"]]);
  });

  test("at most eight statements of an organization run", async () => {
    for (let round = 0; round < 12; round++) {
      give(`object-${round}`);
      await jest.advanceTimersByTimeAsync(300);
    }
    expect(sent).toHaveLength(8);
  });

  test("commands wait for at most five seconds, and no new ones are accepted after two seconds without progress", async () => {
    for (let round = 0; round < 8; round++) {
      give(`object-${round}`);
      await jest.advanceTimersByTimeAsync(300);
    }
    const early = give("early");
    await jest.advanceTimersByTimeAsync(2_100);
    const late = give("late");
    await settle();
    expect([early.error, late.error]).toMatchObject([undefined, BUSY]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(early.error).toMatchObject(BUSY);
  });

  test("at most 1,024 commands of an organization wait, and at most 4,096 of all", async () => {
    const refused = (given: readonly Given[]) => given.filter(({ error }) => error !== undefined).length;
    const all = [];
    for (let org = 0; org < 5; org++) {
      const given = giveAll(names(1_030), { org: `org-${org}` });
      expect(sent).toEqual([]);
      all.push(given);
    }
    await settle();
    expect(all.map(refused)).toEqual([6, 6, 6, 6, 1_030]);
    expect(all[4]?.at(-1)?.error).toMatchObject(BUSY);
  });
});

describe("identical lookups", () => {
  const options = { kind: READING };

  test("share one response while they wait", async () => {
    const given = giveAll(["a", "b", "a"], options);
    await settle();
    expect(objectsOf()).toEqual([["a", "b"]]);
    await sent[0]?.succeed();
    expect(responsesOf(given)).toEqual(["A", "B", "A"]);
  });

  test("run again for a caller who arrives while the first statement runs", async () => {
    const first = give("a", options);
    await settle();
    const second = give("a", options);
    await settle();
    expect(objectsOf()).toEqual([["a"], ["a"]]);
    await sent[1]?.succeed();
    expect(responsesOf([first, second])).toEqual([undefined, "A"]);
  });

  test("still run for the other callers when one disconnects", async () => {
    const { caller, over } = leaver();
    const left = give("a", { ...options, caller });
    const stays = give("a", options);
    caller.isOver = true;
    await settle();
    await sent[0]?.succeed();
    expect(responsesOf([left, stays])).toEqual([over, "A"]);
  });
});
