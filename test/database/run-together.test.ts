import { type Clock, install } from "@sinonjs/fake-timers";
import { DatabaseError } from "pg";
import { type QueryCaller, UNCONFIRMED } from "../../src/call.ts";
import type { Command } from "../../src/database/command.ts";
import { createCommandList } from "../../src/database/command-list.ts";
import { toCallers } from "../../src/database/confirm-callers.ts";
import type { Connections } from "../../src/database/database.ts";
import { toSignetError } from "../../src/database/failure.ts";
import { errorIfOver } from "../../src/database/query-limiter.ts";
import { type CommandKind, createRunTogether, type RunTogether } from "../../src/database/run-together.ts";
import type { SignetError } from "../../src/errors.ts";

interface Values {
  readonly org: string;
  readonly object: string;
}
type TestResponse = { readonly response: string };

/** A statement that the database received. */
interface Sent {
  readonly objects: readonly string[];
  readonly sizes: readonly string[];
  succeed(): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** Grants a connection in the next tick, and returns when the test lets it. */
const connections: Connections = {
  async enter(caller) {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    caller?.throwIfOver();
    return {
      query: ({ parameters }) => receive(parameters as Command[]),
      leave: () => left.push(errorIfOver(caller)),
    };
  },
};
/** For each released connection, what the limiter learns of the one who had it: undefined if the caller was served. */
let left: (object | undefined)[];
/** The number of statements that start one after another. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => process.nextTick(resolve));
};

let clock: Clock;
let sent: Sent[];
let runTogether: RunTogether;
beforeEach(() => {
  clock = install({ toNotFake: ["nextTick"] });
  sent = [];
  left = [];
  confirmed = undefined;
  runTogether = createRunTogether(connections);
});
afterEach(() => {
  clock.uninstall();
});

let confirmed: ReadonlySet<string> | undefined;

/** The statement, whose parameters are its commands. If the test confirms callers, it returns at once. */
function receive(commands: readonly Command[]): Promise<{ rows: unknown[] }> {
  const objects = commands.map(({ json }) => (JSON.parse(json) as string[])[1] ?? "");
  const tokens = commands.flatMap(({ toConfirm }) => toConfirm?.tokenHash ?? []);
  const rows = objects.map((object, index) => ({ number: index + 1, response: object.toUpperCase() })).toReversed();
  if (confirmed !== undefined) {
    return Promise.resolve({ rows: tokens.every((token) => confirmed?.has(token)) ? rows : [] });
  }
  return new Promise((resolve, reject) => {
    sent.push({
      objects,
      sizes: commands.map(({ size }) => size),
      async succeed() {
        resolve({ rows });
        await settle();
      },
      async fail(error) {
        reject(error);
        await settle();
      },
    });
  });
}

const WRITING: CommandKind<Values, TestResponse> = {
  name: "write",
  list: createCommandList<Values>({ org: "text", object: "text" }),
  statement: { bind: (commands) => ({ sql: "", parameters: commands }) },
  toGroup: ({ org }) => org,
  toKeys: ({ object }) => [object],
};
const READING: CommandKind<Values, TestResponse> = { ...WRITING, isReading: true };

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
  readonly kind?: CommandKind<Values, TestResponse>;
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

  test("were served when their statement ends, though none is left that needs the connection", async () => {
    give("a");
    await settle();
    await sent[0]?.succeed();
    expect(left).toEqual([undefined]);
  });

  test("name the form of the statement that they need, by default the whole one", async () => {
    const kind = { ...WRITING, toSize: ({ object }: Values) => (object === "long" ? "usual" : "short") } as const;
    for (const objects of [["a"], ["b"], ["c", "d"]]) {
      for (const object of objects) void runTogether(kind, { org: "o", object });
      await settle();
    }
    void runTogether(kind, { org: "o", object: "long" });
    await sent[0]?.succeed();
    expect(sent.map(({ objects, sizes }) => [objects, sizes])).toEqual([
      [["a"], ["short"]],
      [["b"], ["short"]],
      [
        ["c", "d", "long"],
        ["short", "short", "usual"],
      ],
    ]);
    await sent[1]?.succeed();
    await sent[2]?.succeed();
    void runTogether(WRITING, { org: "o", object: "a" });
    await settle();
    expect(sent[3]?.sizes).toEqual(["whole"]);
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
  const toCaller = (token: string) => {
    const roles = { instanceId: "instance", instanceRoles: [], orgId: "org", orgRoles: ["ORG_OWNER"] };
    const authority = { kind: "toConfirm", caller: { tokenHash: token, now: new Date(0), ...roles } } as const;
    return { throwIfOver() {}, authority };
  };

  test("that are not confirmed do not affect the other commands of the statement", async () => {
    const first = [give("first"), give("second")];
    await settle();
    confirmed = new Set(["a"]);
    for (const statement of sent) await statement.succeed();
    const given = [give("x", { caller: toCaller("a") }), give("y", { caller: toCaller("revoked") }), give("z")];
    await settle();
    await settle();
    expect(responsesOf(first)).toEqual(["FIRST", "SECOND"]);
    expect(responsesOf(given)).toEqual(["X", UNCONFIRMED, "Z"]);
  });

  test("are confirmed by each of their statements", async () => {
    confirmed = new Set(["a"]);
    const caller = toCaller("a");
    const first = give("first", { caller });
    await settle();
    confirmed = new Set();
    const second = give("second", { caller });
    await settle();
    expect(responsesOf([first, second])).toEqual(["FIRST", UNCONFIRMED]);
  });

  test("do not share the result of a lookup", async () => {
    confirmed = new Set();
    const kind = READING;
    const given = [give("a", { kind }), give("a", { kind, caller: toCaller("revoked") })];
    await settle();
    await settle();
    expect(responsesOf(given)).toEqual(["A", UNCONFIRMED]);
  });

  test("are in the values of a statement once", () => {
    const commands = ["a", "b", "a"].map(
      (token) => ({ toConfirm: toCaller(token).authority.caller }) as unknown as Command,
    );
    const tokens = (JSON.parse(toCallers(commands) ?? "") as string[][]).map(([token]) => token);
    expect(tokens).toEqual(["a", "b"]);
    expect(toCallers([{ toConfirm: undefined } as Command])).toBeUndefined();
  });

  test("with other roles are confirmed too", () => {
    const { caller } = toCaller("a").authority;
    const commands = [{ ...caller, orgRoles: [] }, { ...caller, instanceRoles: ["INSTANCE_OWNER"] }, caller].map(
      (toConfirm) => ({ toConfirm }) as unknown as Command,
    );
    expect(JSON.parse(toCallers(commands) ?? "")).toHaveLength(3);
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
    await clock.tickAsync(200);
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
    await clock.tickAsync(100);
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
    await clock.tickAsync(300);
    expect(objectsOf(2)).toEqual([["c"]]);
  });

  test("at most eight statements of an organization run", async () => {
    for (let round = 0; round < 12; round++) {
      give(`object-${round}`);
      await clock.tickAsync(300);
    }
    expect(sent).toHaveLength(8);
  });

  test("commands wait for at most five seconds, and no new ones are accepted after two seconds without progress", async () => {
    for (let round = 0; round < 8; round++) {
      give(`object-${round}`);
      await clock.tickAsync(300);
    }
    const early = give("early");
    await clock.tickAsync(2_100);
    const late = give("late");
    await settle();
    expect([early.error, late.error]).toMatchObject([undefined, BUSY]);
    await clock.tickAsync(3_000);
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
