import type { Texts } from "../en/en.ts";

export const NOTICES: Texts["messages"]["notices"] = {
  kinds: {
    "password-changed": {
      subject: "Ihr Passwort wurde geändert",
      occasion: "das Passwort Ihres Kontos bei {{host}} wurde geändert.",
    },
    "email-changed": {
      subject: "Ihre E-Mail-Adresse wurde geändert",
      occasion: "für Ihr Konto bei {{host}} wurde eine andere E-Mail-Adresse eingetragen.",
    },
    "phone-changed": {
      subject: "Ihre Telefonnummer wurde geändert",
      occasion: "für Ihr Konto bei {{host}} wurde eine neue Telefonnummer eingetragen.",
    },
    "phone-removed": {
      subject: "Ihre Telefonnummer wurde entfernt",
      occasion: "die Telefonnummer Ihres Kontos bei {{host}} wurde entfernt.",
    },
    "one-time-codes-added": {
      subject: "Einmalcodes wurden eingerichtet",
      occasion: "für Ihr Konto bei {{host}} wurden Einmalcodes aus einer Authenticator-App eingerichtet.",
    },
    "one-time-codes-removed": {
      subject: "Einmalcodes wurden ausgeschaltet",
      occasion: "Ihr Konto bei {{host}} verlangt keine Einmalcodes aus einer Authenticator-App mehr.",
    },
    "recovery-codes-replaced": {
      subject: "Ihre Wiederherstellungscodes wurden ersetzt",
      occasion:
        "für Ihr Konto bei {{host}} wurden neue Wiederherstellungscodes erstellt. Die alten sind nicht mehr gültig.",
    },
    "recovery-code-used": {
      subject: "Ein Wiederherstellungscode wurde verwendet",
      occasion: "ein Wiederherstellungscode Ihres Kontos bei {{host}} wurde verwendet. Er ist damit nicht mehr gültig.",
    },
    "passkey-added": {
      subject: "Ein Passkey wurde hinzugefügt",
      occasion: "Ihrem Konto bei {{host}} wurde ein Passkey hinzugefügt.",
    },
    "passkey-removed": {
      subject: "Ein Passkey wurde entfernt",
      occasion: "ein Passkey Ihres Kontos bei {{host}} wurde entfernt.",
    },
    "provider-linked": {
      subject: "Eine weitere Anmeldemöglichkeit wurde hinzugefügt",
      occasion: "Ihr Konto bei {{host}} wurde mit einem Konto bei einem anderen Anbieter verknüpft.",
    },
    "provider-unlinked": {
      subject: "Eine Anmeldemöglichkeit wurde entfernt",
      occasion: "die Verknüpfung Ihres Kontos bei {{host}} mit einem Konto bei einem anderen Anbieter wurde entfernt.",
    },
    "new-device": {
      subject: "Neue Anmeldung bei Ihrem Konto",
      occasion: "mit Ihrem Konto bei {{host}} hat sich jemand auf einem bisher unbekannten Gerät angemeldet.",
    },
  },
  byOther: "Ein Administrator oder eine Anwendung hat dies veranlasst.",
  time: "Zeitpunkt: {{time}}",
  browser: "Verwendeter Browser: {{names}}",
  advice:
    "Wenn Sie das waren, müssen Sie nichts weiter tun. Andernfalls melden Sie sich bitte sofort an, ändern Sie Ihr Passwort und prüfen Sie Ihr Konto. Wenn Sie sich nicht anmelden können, wählen Sie auf der Anmeldeseite „Vergessen?“.",
  adviceWithoutLink:
    "Wenn Sie das waren, müssen Sie nichts weiter tun. Andernfalls wenden Sie sich bitte sofort an Ihren Administrator: Mit der neuen Adresse lässt sich ein neues Passwort festlegen.",
  button: "Konto prüfen",
};
