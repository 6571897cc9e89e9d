import type { Texts } from "../en/en.ts";

export const FRAME: Texts["frame"] = {
  errorTitle: "Fehler: {{title}}",
  problems: {
    "invalid-link": {
      title: "Dieser Link ist ungültig",
      text: "Bitte prüfen Sie, ob Sie den vollständigen Link aus Ihrer Nachricht geöffnet haben. Wenn ja, ist er vielleicht zu alt: Melden Sie sich an, wählen Sie dort „Vergessen?“ oder bitten Sie Ihren Administrator um einen neuen Link.",
    },
    "blocked-user": {
      title: "Dieses Konto kann zurzeit nicht verwendet werden",
      text: "Es wurde deaktiviert oder gesperrt. Bitte wenden Sie sich an Ihren Administrator.",
    },
    "not-found": {
      title: "Seite nicht gefunden",
      text: "Bitte prüfen Sie die Adresse oder öffnen Sie den Link aus Ihrer Nachricht noch einmal.",
    },
    "wrong-method": {
      title: "Diese Aktion ist hier nicht möglich",
      text: "Die Seite lässt sich so nicht verwenden. Bitte öffnen Sie sie noch einmal, zum Beispiel mit dem Link aus Ihrer Nachricht.",
    },
    foreign: {
      title: "Dieses Formular stammt von einer anderen Website",
      text: "Zu Ihrer Sicherheit wurde nichts geändert. Bitte öffnen Sie die Seite noch einmal, zum Beispiel mit dem Link aus Ihrer Nachricht.",
    },
    "wrong-type": {
      title: "Dieses Formular konnte nicht gelesen werden",
      text: "Es wurde nichts geändert. Bitte öffnen Sie die Seite noch einmal, zum Beispiel mit dem Link aus Ihrer Nachricht.",
    },
    unreadable: {
      title: "Dieses Formular konnte nicht gelesen werden",
      text: "Es wurde nichts geändert. Bitte öffnen Sie die Seite noch einmal, zum Beispiel mit dem Link aus Ihrer Nachricht.",
    },
    malformed: {
      title: "Diese Anfrage ist ungültig",
      text: "Sie enthält etwas, das hier nicht angenommen wird. Bitte gehen Sie zurück und versuchen Sie es noch einmal.",
    },
    "too-slow": {
      title: "Das hat zu lange gedauert",
      text: "Es wurde nichts geändert. Bitte gehen Sie zurück und versuchen Sie es noch einmal.",
    },
    "too-large": {
      title: "Der Text ist zu lang",
      text: "Es wurde nichts geändert. Bitte gehen Sie zurück und geben Sie einen kürzeren Text ein.",
    },
    "too-many": {
      title: "Zu viele Versuche",
      text: "Aus Ihrem Netzwerk kamen zu viele Versuche. Zum Schutz aller Konten werden vorerst keine weiteren angenommen.",
    },
    failed: {
      title: "Etwas ist schiefgegangen",
      text: "Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal. Wenn der Fehler wieder auftritt, nennen Sie Ihrem Administrator diese Nummer:",
    },
    unavailable: {
      title: "Bitte versuchen Sie es gleich noch einmal",
      text: "Der Dienst ist zurzeit nicht verfügbar.",
    },
    tryAgain: "Bitte versuchen Sie es {{delay}} noch einmal.",
    details: "Einzelheiten:",
    requestId: "Anfrage",
  },
  password: {
    show: { text: "Anzeigen", label: "Anzeigen: Passwort" },
    hide: { text: "Verbergen", label: "Verbergen: Passwort" },
    rule: "Mindestens {{characters}} Zeichen. Mehrere Wörter hintereinander sind leicht zu merken.",
    errors: {
      missing: "Bitte wählen Sie ein Passwort.",
      "too-short": "Das Passwort ist zu kurz: Es muss mindestens 8 Zeichen lang sein.",
      "too-long":
        "Das Passwort ist zu lang: Es darf höchstens {{bytes}} Byte lang sein. Umlaute und Emojis zählen mehrfach.",
      "not-text": "Das Passwort enthält ein Zeichen, das nicht verwendet werden kann.",
      common: "Dieses Passwort wird oft verwendet und ist daher leicht zu erraten. Bitte wählen Sie ein anderes.",
      personal:
        "Das Passwort besteht fast nur aus einem Namen und ist daher leicht zu erraten. Bitte wählen Sie ein anderes.",
      different: "Die beiden Passwörter stimmen nicht überein. Bitte geben Sie beide noch einmal ein.",
      unchanged: "Das ist Ihr aktuelles Passwort. Bitte wählen Sie ein anderes.",
    },
  },
  signInLink: {
    signIn: "Anmelden",
    userName: "Benutzername",
  },
  brand: {
    support: "Hilfe",
    terms: "Nutzungsbedingungen",
    privacy: "Datenschutz",
    watermark: "Gesichert durch Signet",
  },
};
