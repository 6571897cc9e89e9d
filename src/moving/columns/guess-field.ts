import { recognizeHash } from "../../passwords/hash-prefixes.ts";
import { toColumnKey } from "../sources/activity.ts";

/**
 * Guesses which field a column of a table is: from its name, in English or German, otherwise from its values. A guess may be
 * wrong, so a person has to confirm it. Names that the CSV source reads by itself are not here.
 *
 * @param values Some values of the column that are not empty.
 */
export function guessField(name: string, values: readonly string[]): string | undefined {
  // Matching a pattern can take quadratic time, and users of the other system may have entered the value.
  if (values.some(({ length }) => length > LONGEST_VALUE)) return undefined;
  const named = FIELDS.get(toKey(name));
  if (named !== undefined && (FITS[named] ?? (() => true))(values)) return named;
  if (values.length === 0) return undefined;
  return Object.entries(FITS).find(([field, fits]) => FROM_VALUES.has(field) && fits(values))?.[0];
}

/** No field accepts a longer value. */
const LONGEST_VALUE = 2_000;

/** `E-Mail (geschäftlich)` and `e_mail_geschaeftlich` are the same. */
function toKey(name: string): string {
  const plain = toColumnKey(name.normalize("NFC")).replaceAll(/[^\p{L}\p{N}]/gu, "");
  return plain.replace(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter);
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

const every = (form: RegExp) => (values: readonly string[]) => values.every((value) => form.test(value.trim()));

/** Checks of the values of fields that have a recognizable form. */
const FITS: Readonly<Record<string, (values: readonly string[]) => boolean>> = {
  email: every(/^[^\s@]+@[^\s@]+\.[^\s@]+$/),
  passwordHash: (values) => values.every((value) => recognizeHash(value.trim()).scheme !== undefined),
  phone: every(/^(?:tel:)?[+(\d][\d\s()./-]{5,}$/),
  otp: every(/^(?:otpauth:\/\/\S+|[A-Z2-7=\s]{16,})$/i),
  language: every(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*(?:\.\S+)?$/),
};

/** The fields that can be recognized by their values alone. A number without `+` could be anything. */
const FROM_VALUES: ReadonlySet<string> = new Set(["email", "passwordHash"]);

const NAMES: Readonly<Record<string, readonly string[]>> = {
  email: [
    ...["mail", "emailaddresse", "emailadresse", "mailadresse", "mailaddress", "epost", "primaryemail", "contactemail"],
    ...["emailprivat", "emailgeschaeftlich", "workemail", "useremail", "customeremail", "contact", "kontakt"],
  ],
  firstName: ["vorname", "vornamen", "rufname", "first", "forename", "fname", "christianname", "namefirst"],
  lastName: ["nachname", "familienname", "zuname", "last", "lname", "namelast", "secondname"],
  displayName: ["anzeigename", "vollername", "vollstaendigername", "namevollstaendig", "realname", "screenname"],
  nickName: ["spitzname", "nick", "alias", "preferredname"],
  userName: [
    ...["benutzername", "benutzer", "nutzername", "anmeldename", "loginname", "kontoname", "accountname", "user"],
    ...["samaccountname", "userprincipalname", "upn", "kennung"],
  ],
  id: [
    ...["benutzerid", "benutzernummer", "nutzerid", "kundennummer", "kundennr", "kundenid", "mitgliedsnummer"],
    ...["personalnummer", "customerid", "customernumber", "memberid", "personid", "accountid", "externalid", "guid"],
    ...["objectid", "nr", "nummer"],
  ],
  phone: [
    ...["telefon", "telefonnummer", "telefonnr", "telnr", "tel", "rufnummer", "handy", "handynummer", "handynr"],
    ...["mobil", "mobilnummer", "mobiltelefon", "natel", "mobile", "mobilenumber", "mobilephone", "cell"],
    ...["cellphone", "telephone"],
  ],
  language: ["sprache", "lang", "languagecode", "sprachcode", "korrespondenzsprache"],
  gender: ["geschlecht", "sex"],
  emailVerified: ["emailbestaetigt", "emailverifiziert", "mailbestaetigt", "mailverified", "verified", "bestaetigt"],
  phoneVerified: ["telefonbestaetigt", "telefonverifiziert", "handybestaetigt", "mobileverified"],
  passwordHash: ["passwort", "kennwort", "passworthash", "kennworthash", "hash", "pwd", "pw", "pwhash", "pwdhash"],
  otp: ["totp", "otpseed", "mfasecret", "twofactorsecret", "twofasecret", "googleauthenticatorsecret"],
  recoveryCodes: ["backupcodes", "twofactorrecoverycodes", "wiederherstellungscodes"],
  active: ["aktiv", "istaktiv", "aktiviert", "freigeschaltet", "isactivated", "activated"],
  inactive: ["inaktiv", "gesperrt", "istgesperrt", "deaktiviert", "blockiert", "archiviert"],
  deleted: ["geloescht", "istgeloescht", "geloeschtam"],
  bannedUntil: ["gesperrtbis"],
  org: ["organisation", "firma", "mandant", "unternehmen", "company", "companyname", "tenant"],
};

const FIELDS = new Map(Object.entries(NAMES).flatMap(([field, names]) => names.map((name) => [name, field] as const)));
