import type { Texts } from "../en/en.ts";

export const OIDC: Texts["oidc"] = {
  logout: {
    ask: {
      title: "Möchten Sie sich abmelden?",
      text: "Sie werden in diesem Browser von allen Anwendungen abgemeldet.",
      textFor: "{{app}} möchte Sie abmelden. Sie werden in diesem Browser von allen Anwendungen abgemeldet.",
    },
    signOut: "Abmelden",
    stay: "Angemeldet bleiben",
    done: { title: "Sie sind abgemeldet", text: "Sie können diese Seite schließen." },
  },
  device: {
    ask: { title: "Gerät anmelden", text: "Geben Sie den Code ein, den das Gerät anzeigt." },
    code: "Code",
    app: "Anwendung",
    wrong: "Dieser Code ist ungültig. Vergleichen Sie ihn mit dem Code auf dem Gerät oder beginnen Sie dort neu.",
    declined: "Die Anmeldung wurde abgebrochen. Um sich anzumelden, beginnen Sie auf dem Gerät neu.",
    expired: "Dieses Formular ist abgelaufen, oder der Browser hat sein Cookie nicht gesendet.",
    next: "Weiter",
    confirm: {
      title: "Ist das Ihr Gerät?",
      text: "Fahren Sie nur fort, wenn Sie diese Anmeldung selbst begonnen haben und Ihr Gerät denselben Code anzeigt.",
      apiAccess:
        "Die Anwendung kann danach in Ihrem Namen handeln: alles lesen und ändern, was Ihre Rollen erlauben, zum Beispiel Benutzer, Anwendungen und Identitätsanbieter. Möglicherweise müssen Sie sich vorher erneut anmelden.",
    },
    signIn: "Gerät anmelden",
    cancel: "Abbrechen",
    done: { title: "Das Gerät ist angemeldet", text: "Sie können diese Seite schließen und dort fortfahren." },
  },
  error: {
    expired: {
      title: "Diese Anmeldung ist abgelaufen",
      text: "Sie hat zu lange gedauert oder wurde in einem anderen Tab abgeschlossen. Bitte gehen Sie zurück zur Anwendung und melden Sie sich noch einmal an.",
    },
    unknownApp: {
      title: "Unbekannte Anwendung",
      text: "Die Anwendung, die Sie hierher geleitet hat, ist nicht registriert oder wurde deaktiviert. Bitte wenden Sie sich an deren Betreiber.",
    },
    refused: {
      title: "Ungültige Anfrage der Anwendung",
      text: "Die Anwendung hat eine ungültige Anfrage gesendet. Bitte gehen Sie zurück zur Anwendung und versuchen Sie es noch einmal. Wenn der Fehler wieder auftritt, wenden Sie sich an deren Betreiber.",
    },
    failed: {
      title: "Etwas ist schiefgegangen",
      text: "Der Fehler liegt bei uns. Bitte gehen Sie zurück zur Anwendung und versuchen Sie es noch einmal.",
    },
    details: "Einzelheiten:",
  },
};
