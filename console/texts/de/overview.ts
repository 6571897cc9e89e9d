import type { EN_OVERVIEW } from "../en/overview.ts";

export const DE_OVERVIEW: typeof EN_OVERVIEW = {
  title: "Übersicht",
  first: "Was zuerst zu tun ist",
  progress: (done, total) => `${done} von ${total} erledigt`,
  next: (step) => `Als Nächstes: ${step}`,
  begin: "Beginnen",
  isDone: "Erledigt",
  steps: {
    email: {
      title: "Richten Sie einen Mailserver ein",
      reason: "Setzen Sie SMTP_URL, damit Einladungen und Links für neue Passwörter versandt werden.",
    },
    owner: {
      title: "Fügen Sie einen zweiten Inhaber hinzu",
      reason: "Einer kann fehlen oder sein Passwort verlieren.",
    },
    users: {
      title: "Legen Sie Benutzer an",
      reason: "Legen Sie sie einzeln an oder importieren Sie sie aus einem anderen System.",
    },
    app: { title: "Fügen Sie eine Anwendung hinzu", reason: "Bei ihr melden sich Personen mit Signet an." },
    provider: {
      title: "Verbinden Sie einen Anbieter",
      reason: "Personen melden sich mit Konten an, die sie haben, zum Beispiel bei Google.",
    },
  },
  activity: "Letzte 24 Stunden",
  byHour: (title) => `${title} nach Stunden`,
  latestOnly: (count) => `Das Diagramm zeigt die letzten ${count}.`,
  waiting: "Wartende Nachrichten",
  noFailed: "Keine ist fehlgeschlagen",
  failed: (count) => `${count} fehlgeschlagen`,
};
