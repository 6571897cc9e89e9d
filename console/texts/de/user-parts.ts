import type { ContactTexts, MachineTexts, TokensTexts } from "../shapes/user-parts.ts";

export const DE_CONTACT: ContactTexts = {
  title: "Telefon und Bestätigung",
  phoneHint: "mit Landesvorwahl, wie +41 44 668 18 00",
  isVerified: "Die Nummer ist bestätigt; keine Kurznachricht senden",
  resendSms: "Kurznachricht erneut senden",
  removePhone: "Nummer entfernen",
  verifyEmail: "E-Mail zur Bestätigung der Adresse senden",
  markVerified: "Adresse als bestätigt markieren",
};

export const DE_MACHINE: MachineTexts = { name: "Bezeichnung", description: "Beschreibung" };

export const DE_TOKENS: TokensTexts = {
  title: "Persönliche Zugriffstokens",
  add: "Token erstellen",
  once: "Kopieren Sie das Token jetzt. Es kann nicht noch einmal gezeigt werden.",
  created: "Angelegt",
  expires: "Gültig bis",
  neverExpires: "Unbegrenzt gültig",
  lastUsed: "Zuletzt benutzt",
  neverUsed: "Nicht benutzt",
  until: "Letzter Tag",
  untilHint: "leer für ein unbegrenzt gültiges Token",
};
