import type { Reasons } from "../en/reasons.ts";
import { toRules } from "../rules.ts";

export const DE_REASONS: Reasons = {
  TOKEN_MISSING: "Sie sind abgemeldet. Melden Sie sich neu an.",
  TOKEN_INVALID: "Ihre Anmeldung ist abgelaufen. Melden Sie sich neu an.",
  PERMISSION_DENIED: "Sie dürfen das nicht. Ein Inhaber kann Ihnen eine Rolle geben, die es erlaubt.",
  ORG_NOT_FOUND: "Diese Organisation gibt es nicht oder nicht mehr. Wählen Sie oben eine andere.",
  USER_NOT_FOUND: "Diesen Benutzer gibt es in der Organisation nicht oder nicht mehr. Sehen Sie in der Liste nach.",
  IDP_NOT_FOUND: "Diesen Anbieter gibt es nicht oder nicht mehr. Sehen Sie in der Liste nach.",
  APP_NOT_FOUND: "Diese Anwendung gibt es nicht oder nicht mehr. Sehen Sie in der Liste nach.",
  APP_ROLE_NOT_FOUND: "Die Anwendung hat diese Rolle nicht mehr. Laden Sie die Seite neu.",
  API_NOT_FOUND: "Diese API gibt es nicht oder nicht mehr. Sehen Sie in der Liste nach.",
  API_IDENTIFIER_TAKEN: "Eine andere API hat diese Kennung. Wählen Sie eine andere.",
  TOKEN_NOT_FOUND: "Das Token wurde bereits entfernt. Laden Sie die Seite neu.",
  PASSKEY_NOT_FOUND: "Der Passkey wurde bereits entfernt. Laden Sie die Seite neu.",
  PASSKEY_TAKEN: "Dieser Passkey ist bereits für einen Benutzer registriert.",
  IDP_LINK_NOT_FOUND: "Die Verknüpfung wurde bereits entfernt. Laden Sie die Seite neu.",
  ORG_STATE: "Jemand anderes hat den Zustand der Organisation geändert. Laden Sie die Seite neu.",
  ORG_PROTECTED: "Die erste Organisation kann weder deaktiviert noch entfernt werden.",
  ORG_NAME_TAKEN: "Eine andere Organisation hat diesen Namen. Wählen Sie einen anderen.",
  EXTERNAL_ID_TAKEN:
    "Ein anderer Benutzer der Organisation hat diesen Wert von external_id. Suchen Sie ihn in der Liste der Benutzer.",
  SUBJECT_TAKEN: "Ein anderer Benutzer hat dieses Subjekt.",
  METADATA_NOT_FOUND: "Der Wert wurde bereits entfernt. Laden Sie die Seite neu.",
  OTP_NOT_FOUND: "Die Einmalcodes wurden bereits ausgeschaltet. Laden Sie die Seite neu.",
  MESSAGE_NOT_FOUND: "Die Nachricht ist nicht mehr gespeichert. Laden Sie die Seite neu.",
  MESSAGE_STATE: "Die Nachricht wird gerade gesendet oder wurde schon gesendet. Laden Sie die Seite neu.",
  METADATA_LIMIT: "Der Benutzer hat so viele Metadaten wie möglich. Entfernen Sie zuerst einen Wert.",
  TOO_MANY_PROVIDER_CHECKS: "Anbieter wurden zu oft geprüft. Warten Sie eine Minute und versuchen Sie es erneut.",
  TOO_MANY_WEBHOOK_CHECKS:
    "In dieser Stunde wurden zu viele Testereignisse gesendet. Versuchen Sie es in der nächsten erneut.",
  USER_NAME_TAKEN: "Einen Benutzer mit diesem Namen oder dieser Adresse gibt es schon.",
  EMAIL_TAKEN:
    "Ein anderer Benutzer der Organisation meldet sich mit dieser Adresse an. Suchen Sie ihn in der Liste der Benutzer.",
  PHONE_TAKEN:
    "Ein anderer Benutzer der Organisation meldet sich mit dieser Nummer an. Suchen Sie ihn in der Liste der Benutzer.",
  IDP_LINK_TAKEN:
    "Ein anderer Benutzer der Organisation ist mit diesem Konto verknüpft. Entfernen Sie zuerst diese Verknüpfung.",
  MEMBER_EXISTS: "Der Benutzer hat schon eine Rolle. Ändern Sie sie in der Liste.",
  MEMBER_NOT_FOUND: "Der Benutzer hat keine Rolle mehr. Laden Sie die Seite neu.",
  LAST_OWNER: "Das ist der letzte Inhaber. Geben Sie zuerst jemand anderem die Rolle eines Inhabers.",
  POLICY_EXISTS: "Jemand anderes hat inzwischen Einstellungen gespeichert. Laden Sie die Seite neu.",
  POLICY_NOT_FOUND: "Jemand anderes hat diese Einstellungen inzwischen zurückgesetzt. Laden Sie die Seite neu.",
  PHONE_NOT_FOUND: "Der Benutzer hat keine Telefonnummer. Laden Sie die Seite neu.",
  USER_STATE:
    "Der Benutzer ist inzwischen gesperrt, inaktiv oder aktiv, und das erlaubt es nicht. Laden Sie die Seite neu, um den Zustand zu sehen.",
  IDP_STATE: "Jemand anderes hat den Zustand des Anbieters geändert. Laden Sie die Seite neu.",
  IDP_HAS_LINKS:
    "Benutzer sind mit diesem Anbieter verknüpft, deshalb kann sich nicht ändern, was sie ausweist. Fügen Sie einen weiteren hinzu.",
  OWN_USER:
    "Sie können sich nicht selbst sperren, deaktivieren oder entfernen und Ihre eigenen Rollen nicht ändern. Ein anderer Inhaber kann es.",
  ONLY_WAY_IN:
    "Der Benutzer kann sich nicht anders anmelden. Senden Sie zuerst einen Link, mit dem er ein Passwort setzt.",
  APP_STATE: "Jemand anderes hat den Zustand der Anwendung geändert. Laden Sie die Seite neu.",
  APP_WITHOUT_SECRET: "Anwendungen dieser Art haben kein Secret.",
  WEBHOOK_NOT_FOUND: "Diesen Webhook gibt es nicht oder nicht mehr. Sehen Sie in der Liste nach.",
  WEBHOOK_STATE: "Jemand anderes hat den Zustand des Webhooks geändert. Laden Sie die Seite neu.",
  WEBHOOK_DELIVERY_NOT_FOUND: "Die Zustellung ist nicht mehr gespeichert. Aktualisieren Sie die Liste.",
  WEBHOOK_DELIVERY_IN_PROGRESS: "Das Ereignis wird gerade gesendet. Aktualisieren Sie die Liste gleich.",
  TOO_MANY_WEBHOOKS: "Die Organisation hat 20 Webhooks, mehr sind nicht möglich. Entfernen Sie zuerst einen.",
  PHONE_VERIFIED: "Die Nummer ist bereits bestätigt. Laden Sie die Seite neu.",
  RECIPIENT_NOT_VERIFIED:
    "Die Adresse oder Nummer ist nicht bestätigt, deshalb wird kein Link dorthin gesendet. Bestätigen Sie sie zuerst.",
  SMS_PROVIDER_MISSING:
    "Es können keine Kurznachrichten gesendet werden. Der Betreiber des Dienstes muss SMS_PROVIDER setzen.",
  MAIL_SERVER_MISSING: "Es können keine E-Mails gesendet werden. Der Betreiber des Dienstes muss SMTP_URL setzen.",
  TOO_MANY_MESSAGES:
    "Der Benutzer hat schon mehrere solche Nachrichten bekommen. Warten Sie eine Minute, bei Links für ein Passwort eine Stunde.",
  INVALID_ARGUMENT: "Etwas, das eingegeben wurde, wird nicht angenommen.",
  BODY_TOO_LARGE: "Das ist mehr, als der Dienst auf einmal annimmt. Nehmen Sie eine kleinere Datei oder weniger Text.",
  REQUEST_TIMEOUT: "Die Verbindung ist zu langsam. Versuchen Sie es erneut.",
  TOO_MANY_REQUESTS: "Das waren zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.",
  PATH_NOT_FOUND: "Die Seite hat eine andere Version als der Dienst. Laden Sie sie neu.",
  SERVICE_UNKNOWN: "Die Seite hat eine andere Version als der Dienst. Laden Sie sie neu.",
  METHOD_UNKNOWN: "Die Seite hat eine andere Version als der Dienst. Laden Sie sie neu.",
  ABORTED: "Jemand anderes hat im selben Moment etwas geändert. Versuchen Sie es erneut.",
  UNAVAILABLE: "Der Dienst ist ausgelastet oder startet gerade neu. Versuchen Sie es gleich noch einmal.",
  DEADLINE_EXCEEDED: "Der Dienst hat zu lange gebraucht. Versuchen Sie es gleich noch einmal.",
  INTERNAL:
    "Im Dienst ist etwas schiefgegangen. Versuchen Sie es erneut und geben Sie dem Betreiber die Nummer der Anfrage.",
};

export const DE_RULES = toRules({
  empty: "darf nicht leer sein",
  required: "fehlt",
  tooShort: "muss mindestens $1 Zeichen haben, hat $2",
  tooLong: "darf höchstens $1 Zeichen haben, hat $2",
  tooManyBytes: "darf höchstens $1 Bytes haben, hat $2",
  tooManyItems: "darf höchstens $1 Einträge haben, hat $2",
  checkLifetime: "muss zwischen 5 Minuten und 30 Tagen liegen",
  skipLifetime: "muss zwischen 0 und 3650 Tagen liegen",
  repeated: "steht schon weiter oben",
  noDomain: "braucht nach dem @ einen Domainnamen wie $1",
  notEventType: "muss der Typ eines Ereignisses sein, wie $1",
  noUri: "braucht mindestens eine URI",
});
