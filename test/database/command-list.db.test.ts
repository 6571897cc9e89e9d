import { bytesToText, createCommandList, type Numbered } from "../../src/database/command-list.ts";
import { prepareStatement } from "../../src/database/prepare.ts";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../support/databases/database.ts";

interface Command {
  id: string | null;
  text: string | null;
  texts: readonly string[];
  flag: boolean | null;
  small: number | null;
  at: Date | null;
  bytes: string | null;
  json: unknown;
}

const COMMANDS = createCommandList<Command>({
  id: "uuid",
  text: "text",
  texts: "text[]",
  flag: "boolean",
  small: "smallint",
  at: "timestamptz",
  bytes: "bytea",
  json: "jsonb",
});

const selectCommands = prepareStatement<{ commands: string }, Command & Numbered>((db, param) =>
  db
    .with("given", () => COMMANDS.rows(param("commands", "jsonb")))
    .selectFrom("given")
    .selectAll()
    .orderBy("number"),
);

const ID = "01a20646-dee0-76dd-ad71-7591d6010bd8";
const HARD_TEXTS = [
  "",
  " ",
  "null",
  "NULL",
  "{",
  "a,b",
  '"',
  "\\",
  '\\"',
  "'",
  "$1",
  "\n\t\r",
  "🔑ς\u2028",
  "{}",
  "[]",
];

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(() => database?.close());

  test("a list of commands becomes rows with the same values, in the same order", async () => {
    const bytes = Uint8Array.of(0, 255, 92, 120);
    const full = { id: ID, flag: true, small: -2, at: new Date("2026-11-23T02:40:38.070Z"), bytes: bytesToText(bytes) };
    const none = { id: null, text: null, texts: [], flag: null, small: null, at: null, bytes: null, json: null };
    const commands: Command[] = [
      ...HARD_TEXTS.map((text) => ({ ...full, text, texts: [text, "", text], json: { [text]: [text, null, 1.5] } })),
      { ...none, flag: false, small: 0 },
      none,
    ];
    const list = `[${commands.map((command) => COMMANDS.toJson(command)).join()}]`;
    const rows = await selectCommands(database.db, { commands: list });
    expect(rows).toEqual(
      commands.map((command, index) => ({
        ...command,
        bytes: command.bytes && Buffer.from(bytes),
        number: index + 1,
      })),
    );
  });

  test("an empty list becomes no rows", async () => {
    expect(await selectCommands(database.db, { commands: "[]" })).toEqual([]);
  });
});
