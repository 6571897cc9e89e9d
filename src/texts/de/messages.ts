import type { Texts } from "../en/en.ts";
import { NOTICES } from "./notices.ts";

export const MESSAGES: Texts["messages"] = {
  email: {
    greeting: "Guten Tag,",
    greetingByName: "Guten Tag {{name}},",
    occasion: "für Sie wurde ein Konto bei {{host}} erstellt.",
    occasionIn: "{{org}} hat für Sie ein Konto bei {{host}} erstellt.",
    invitation: {
      subject: "{{inviter}} lädt Sie zu {{org}} ein",
      occasion: "{{inviter}} hat für Sie ein Konto bei {{host}} erstellt.",
    },
    changed: "diese Adresse wurde für Ihr Konto bei {{host}} eingetragen.",
    confirm: {
      subject: "Bestätigen Sie Ihre E-Mail-Adresse",
      request:
        "Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist. Wenn Sie noch kein Passwort haben, können Sie auf derselben Seite eines festlegen.",
      button: "E-Mail-Adresse bestätigen",
    },
    setPassword: {
      subject: "Legen Sie Ihr Passwort fest",
      request: "Sie können jetzt ein Passwort dafür festlegen.",
      button: "Passwort festlegen",
    },
    confirmNew: {
      subject: "Bestätigen Sie Ihre neue E-Mail-Adresse",
      request: "Bitte bestätigen Sie, dass sie Ihnen gehört.",
      button: "E-Mail-Adresse bestätigen",
    },
    userName: "Ihr Benutzername: {{userName}}",
    openLink: "Öffnen Sie dazu diesen Link:",
    copyLink: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:",
    validity: "Der Link ist ab dem Versand dieser E-Mail {{hours}} Stunden lang gültig.",
    sentTo: "Diese E-Mail wurde an {{address}} gesendet.",
    unexpected: "Sie haben diese E-Mail nicht erwartet? Dann können Sie sie einfach ignorieren.",
  },
  passwordReset: {
    subject: "Wählen Sie ein neues Passwort",
    occasion: "für Ihr Konto bei {{host}} wurde ein neues Passwort angefordert.",
    request: "Sie können jetzt eines wählen. Bis dahin bleibt Ihr aktuelles Passwort gültig.",
    button: "Neues Passwort wählen",
    validity: "Der Link ist ab dem Versand dieser E-Mail eine Stunde lang gültig.",
  },
  registration: {
    registration: {
      subject: "Schließen Sie Ihre Registrierung ab",
      occasion: "jemand, wahrscheinlich Sie, möchte mit dieser Adresse ein Konto bei {{host}} erstellen.",
      request: "Bitte bestätigen Sie, dass die Adresse Ihnen gehört, und wählen Sie, wie Sie sich anmelden.",
      button: "Konto erstellen",
    },
    "registration-taken": {
      subject: "Sie haben bereits ein Konto",
      occasion: "jemand, wahrscheinlich Sie, möchte mit dieser Adresse ein Konto bei {{host}} erstellen.",
      request:
        "Es gibt bereits eines. Sie können sich damit anmelden; wenn Sie Ihr Passwort vergessen haben, wählen Sie auf derselben Seite ein neues.",
      button: "Anmelden",
    },
  },
  registrationFor: "Mit dem Konto kann man sich bei {{app}} anmelden.",
  signInCode: {
    subject: "Ihr Code für die Anmeldung",
    occasion: "jemand, wahrscheinlich Sie, meldet sich bei {{host}} an und hat diesen Code angefordert:",
    advice:
      "Geben Sie ihn innerhalb von 15 Minuten auf der Seite ein, auf der Sie ihn angefordert haben. Geben Sie ihn nicht weiter.",
  },
  notices: NOTICES,
  sms: "Ihr Code: {{code}}, 1 Stunde gültig",
  resetSms: "Neues Passwort innerhalb von 1 Stunde wählen:",
};
