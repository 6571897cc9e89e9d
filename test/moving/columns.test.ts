import { describeColumns, describeFindings } from "../../src/moving/checking/describe-findings.ts";
import { createTally } from "../../src/moving/checking/tally.ts";
import { type Column, readColumns } from "../../src/moving/columns/columns.ts";
import { readFile } from "../../src/moving/reading/read-file.ts";
import { csv } from "../../src/moving/sources/csv.ts";
import { keycloak } from "../../src/moving/sources/keycloak.ts";

const HASH = "$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SsxFO/ZtiN9.mNzy";

const inputOf = (text: string) => ({
  names: ["users.csv"],
  read: () =>
    readFile(
      {
        name: "users.csv",
        async *open() {
          yield Buffer.from(text);
        },
      },
      csv,
    ),
});

const read = async (lines: readonly string[], map: Record<string, string> = {}) =>
  (await readColumns(inputOf(lines.join("\n")), csv, map)) ?? [];

const fieldsOf = (columns: readonly Column[]) =>
  Object.fromEntries(columns.map(({ name, field, guess }) => [name, guess === undefined ? field : `${guess}?`]));

test("columns have up to three different values, and secrets only their form", async () => {
  const columns = await read([
    "email,Plan,Kommentar,password,Kennwort,note",
    `a@example.com,gold,,${HASH},geheim-1,${"x".repeat(40)}`,
    `b@example.com,gold,,${HASH.replace("z", "y")},geheim-2,y`,
    `c@example.com,silver,,,,`,
    `d@example.com,bronze,,,,`,
    `e@example.com,free,,,,`,
  ]);
  expect(columns.map(({ name, samples }) => [name, samples])).toEqual([
    ["email", ["a@example.com", "b@example.com", "c@example.com"]],
    ["Plan", ["gold", "silver", "bronze"]],
    ["Kommentar", []],
    ["password", ["$2a$…", "$2a$…"]],
    ["Kennwort", ["…", "…"]],
    ["note", [`${"x".repeat(32)}…`, "y"]],
  ]);
});

test.each(["pw", "Geheimfrage", "api_key", "PIN", "mfa", "backup_codes", "Sicherheitsantwort"])(
  "the values of a column %s are secrets",
  async (name) => {
    const lines = [`email,${name}`, "a@example.com,correct horse battery"];
    for (const map of [{}, { [name]: "-" }]) expect((await read(lines, map))[1]?.samples).toEqual(["…"]);
  },
);

test("of an object, nothing is shown", async () => {
  const lines = ["email,profile", `a@example.com,"{""totp"":""JBSWY3DPEHPK3PXP""}"`, "b@example.com,gold"];
  expect((await read(lines))[1]?.samples).toEqual(["…", "gold"]);
});

test("a guess takes no time, whatever users have entered", async () => {
  const since = performance.now();
  const columns = await read(["email,about", `a@example.com,a@${".".repeat(100_000)}@`]);
  expect(performance.now() - since).toBeLessThan(5_000);
  expect(fieldsOf(columns)).toEqual({ email: "email", about: undefined });
});

test("a field is guessed from the name, in English and German, or from the values", async () => {
  const columns = await read([
    "Kundennummer;E-Mail;Vorname;Nachname;Handy-Nr.;Sprache;Aktiv;gelöscht;pwd;geschäftliche Adresse;Mail;Ort;Zugang",
    `7;a@example.com;Ada;Lovelace;079 123 45 67;de;ja;nein;${HASH};b@example.com;c@example.com;Bern;x@example.com`,
  ]);
  expect(fieldsOf(columns)).toEqual({
    Kundennummer: "id?",
    "E-Mail": "email",
    Vorname: "firstName?",
    Nachname: "lastName?",
    "Handy-Nr.": "phone?",
    Sprache: "language?",
    Aktiv: "active?",
    gelöscht: "deleted?",
    pwd: "passwordHash?",
    // The address is known.
    ...{ "geschäftliche Adresse": undefined, Mail: undefined, Ort: undefined, Zugang: undefined },
  });
  const other = await read(["Zugang,Mobil,Passwort", "a@example.com,ja,geheim"]);
  // A mobile that is no number, and a password that is no hash.
  expect(fieldsOf(other)).toEqual({ Zugang: "email?", Mobil: undefined, Passwort: undefined });
});

test("a map decides what a column is, and what is not imported", async () => {
  const lines = ["Mail,email,status,aktiv,plan", "a@example.com,b@example.com,on leave,ja,gold"];
  const map = { Mail: "email", status: "-", "!aktiv": "inactive", plan: "metadata.plan" };
  expect(fieldsOf(await read(lines, map))).toEqual({
    ...{ Mail: "email", email: undefined, status: undefined, aktiv: "inactive", plan: "metadata.plan" },
  });
  const record = { Mail: "a@example.com", email: "b@example.com", status: "on leave", aktiv: "ja" };
  expect(csv.convert(record, { map })).toMatchObject({
    kind: "user",
    user: { email: "a@example.com", lost: ["column email", "column status"] },
  });
});

test("only tables have columns", async () => {
  expect(await readColumns(inputOf("{}"), keycloak, {})).toBeUndefined();
});

test("of a table with many columns, the preview lists the imported ones first, and counts the others", () => {
  const columnOf = (name: string, field?: string) => ({ name, samples: ["x"], field, guess: undefined });
  const columns = [...Array.from({ length: 20_000 }, (_, n) => columnOf(`c${n}`)), columnOf("Mail", "email")];
  const lines = describeColumns(columns);
  expect(lines).toHaveLength(103);
  expect(lines.slice(1, 4)).toEqual(["Columns", "  Mail  email: x", "  c0    not imported: x"]);
  expect(lines.at(-1)).toBe("  and 19,901 more");
  const findings = createTally().findings();
  const lost = [{ text: "column c7", count: 1, examples: [] }];
  expect(describeFindings({ ...findings, lost }, columns)).not.toContain("Does not come across");
});
