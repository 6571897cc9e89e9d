import type { EN_CONTACT, EN_FAILED_SIGN_INS, EN_MACHINE, EN_TOKENS } from "../en/user-parts.ts";

export const DE_CONTACT: typeof EN_CONTACT = {
  title: "Telefon und Bestätigung",
  phoneHint: "mit Landesvorwahl, wie +41 44 668 18 00",
  isVerified: "Die Nummer ist bestätigt; keine Kurznachricht senden",
  resendSms: "Kurznachricht erneut senden",
  removePhone: "Nummer entfernen",
  verifyEmail: "E-Mail zur Bestätigung der Adresse senden",
  markVerified: "Adresse als bestätigt markieren",
};

export const DE_MACHINE: typeof EN_MACHINE = { name: "Bezeichnung", description: "Beschreibung" };

export const DE_FAILED_SIGN_INS: typeof EN_FAILED_SIGN_INS = {
  title: "Gescheiterte Anmeldungen der letzten 7 Tage",
  unknownNetwork: "Unbekanntes Netz",
  lastHour: "zuletzt in der Stunde ab",
  password: "Falsche Passwörter",
  oneTimeCode: "Falsche Einmalcodes",
  passkey: "Abgelehnte Passkeys",
};

export const DE_TOKENS: typeof EN_TOKENS = {
  title: "Persönliche Zugriffstokens",
  add: "Token erstellen",
  added: "Das Token wurde erstellt",
  token: "Token",
  created: "Angelegt",
  expires: "Gültig bis",
  neverExpires: "Unbegrenzt gültig",
  lastUsed: "Zuletzt benutzt",
  neverUsed: "Nicht benutzt",
  until: "Letzter Tag",
  untilHint: "leer für ein unbegrenzt gültiges Token",
};
