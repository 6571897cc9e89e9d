import { globSync, readFileSync } from "node:fs";
import { DE_IMPORT } from "../../console/screens/import/texts/de.ts";
import { EN_IMPORT } from "../../console/screens/import/texts/en.ts";
import { FR_IMPORT } from "../../console/screens/import/texts/fr.ts";
import { lostWords, withLabels } from "../../console/screens/import/words.ts";
import { RULES as DE_RULES } from "../../console/texts/de/reasons.ts";
import { describeEmailProblem } from "../../src/fields/email.ts";
import { describeStoredLanguageProblem } from "../../src/fields/language.ts";
import { describeNameProblem } from "../../src/fields/name.ts";
import { parsePhone } from "../../src/fields/phone.ts";
import { notSupported } from "../../src/moving/sources/password-hash.ts";
import { describeHashProblem } from "../../src/passwords/modular-crypt-format.ts";
import { describePasswordProblem } from "../../src/passwords/policy.ts";

test("options of the command are called as on the page", () => {
  expect(withLabels("is missing in the export; --names says what to do about that", EN_IMPORT)).toBe(
    'is missing in the export; "Users without a first or last name" says what to do about that',
  );
  expect(withLabels("a value with --dashes-", EN_IMPORT)).toBe("a value with --dashes-");
});

function describePhoneProblem(number: string): string | undefined {
  const parsed = parsePhone(number);
  return parsed.ok ? undefined : parsed.description;
}

test.each([
  [describeEmailProblem("no address"), "muss eine E-Mail-Adresse mit einem @ sein, wie jane@example.com"],
  [
    describeEmailProblem("a..b@example.com"),
    expect.stringMatching(/^darf vor dem @ nur Buchstaben, Ziffern und !#\$.*~ haben/),
  ],
  [describeEmailProblem("ada@localhost"), "braucht nach dem @ einen Domainnamen wie example.com"],
  [describeEmailProblem(`a@${"b".repeat(330)}.example`), "darf höchstens 254 Bytes haben"],
  [describeStoredLanguageProblem("german"), "muss ein Sprachkürzel nach BCP 47 sein, wie de oder en-GB"],
  [describeNameProblem("Ada\u202e"), expect.stringMatching(/^darf U\+202E.* nicht enthalten/)],
  [describeNameProblem("\u0301"), "braucht einen Buchstaben, eine Ziffer oder ein sichtbares Zeichen"],
  [describePasswordProblem("a".repeat(80)), "darf höchstens 72 Bytes haben, hat 80"],
  [describePhoneProblem("079 123 45 67"), "muss eine Telefonnummer mit Ländervorwahl sein, wie +41791234567"],
  [
    describePhoneProblem("+4179"),
    expect.stringMatching(/^muss eine gültige Ländervorwahl und Länge haben; .* beginnt mit \+417 und hat 4 Ziffern$/),
  ],
  [
    describeHashProblem("$y$j9T$salt$hash"),
    expect.stringMatching(/^muss ein unterstütztes Verfahren verwenden, nicht .*\$y\$/),
  ],
  [describeHashProblem("secret"), "muss ein Hash in einem unterstützten Format sein"],
])("what the API says about a value has words in the other languages: %s", (description, words) => {
  const rule = DE_RULES.find(([ofApi]) => ofApi.test(description ?? ""));
  if (rule === undefined) throw new Error("there is no rule");
  expect(description?.replace(...rule)).toEqual(words);
});

test.each([
  ["picture", "Bild", "Picture"],
  ["password: not in the export", "Passwort: nicht im Export", "Password: not in the export"],
  [
    "id that applications have seen (of a merged record)",
    /^Id, .* gesehen haben: eines vereinten Datensatzes$/,
    /^Id that/,
  ],
  ["column plan (old): yes", "Spalte plan (old): yes", "Column plan (old): yes"],
  ["metadata note: too long", "Metadaten note: zu lang", "Metadata note: too long"],
  [
    "link to my (other) provider (not mapped with --idp)",
    'Verknüpfung mit my (other) provider: nicht zugeordnet bei "Konten bei anderen Anbietern"',
    'Link to my (other) provider: not mapped with "Accounts at other providers"',
  ],
  [
    "password: Cognito gives no hashes",
    "Passwort: Cognito gibt keine Hashes heraus",
    "Password: Cognito gives no hashes",
  ],
  ["password: unsalted SHA-256", "Passwort: SHA-256 ohne Salt", "Password: unsalted SHA-256"],
  [
    `password: ${notSupported("algorithm", "whirlpool")}`,
    "Passwort: whirlpool wird nicht unterstützt",
    "Password: whirlpool is not supported",
  ],
  ["web5 wallets: by moon", "web5 wallets: by moon", "web5 wallets: by moon"],
])("what an export loses has words in each language: %s", (text, german, english) => {
  expect(lostWords(text, DE_IMPORT)).toEqual(typeof german === "string" ? german : expect.stringMatching(german));
  expect(lostWords(text, EN_IMPORT)).toEqual(typeof english === "string" ? english : expect.stringMatching(english));
});

test("no source loses anything that has no words", () => {
  const code = globSync("src/moving/**/*.ts").map((path) => readFileSync(path, "utf8"));
  const texts = code.flatMap((each) => [...each.matchAll(/lost\.push\(\s*"([^"]+)"/g)].map(([, text = ""]) => text));
  expect(texts.length).toBeGreaterThan(30);
  expect(texts.filter((text) => lostWords(text, FR_IMPORT) === lostWords(text, EN_IMPORT))).toEqual([]);
});
