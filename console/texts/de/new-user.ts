import type { EN_NEW_USER } from "../en/new-user.ts";

export const DE_NEW_USER: typeof EN_NEW_USER = {
  way: "Erste Anmeldung",
  ways: { invite: "Per E-Mail einladen", password: "Mit Passwort anlegen" },
  meanings: {
    invite: "Ein Link führt zu einer Seite, auf der der Benutzer ein Passwort setzt.",
    password: "Sie setzen das Passwort und geben es dem Benutzer.",
  },
  submit: { invite: "Einladung senden", add: "Benutzer hinzufügen" },
  isVerified: "Die Adresse gehört bekanntlich dem Benutzer; keine E-Mail senden",
  role: "Rolle",
  noRole: "Keine: meldet sich nur bei Anwendungen an",
  noMachineRole: "Keine: ruft nur Ihre eigenen APIs auf",
  messages: "Nachrichten",
  messageTexts: {
    invite: (address) => `${address || "Der Benutzer"} erhält eine Einladung per E-Mail.`,
    confirm: (address) => `${address || "Der Benutzer"} erhält eine E-Mail, um die Adresse zu bestätigen.`,
    sms: (phone) => `${phone} erhält eine SMS, um die Nummer zu bestätigen, wenn der Dienst SMS sendet.`,
    none: "Niemand erhält eine Nachricht.",
  },
  withoutRole: "Der Benutzer wurde hinzugefügt, aber ohne die Rolle. Geben Sie sie ihm auf der Seite des Benutzers.",
};
