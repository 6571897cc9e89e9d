import { PlacedCredentialType } from "../../../gen/signet/v1/member_pb.js";
import type { EN_MEMBERS } from "../en/members.ts";

export const DE_MEMBERS: typeof EN_MEMBERS = {
  title: "Mitglieder",
  text: "Personen und Maschinen mit einer Rolle in der Instanz, die für jede Organisation gilt.",
  choices: {
    INSTANCE_OWNER: { name: "Inhaber", meaning: "alles, in jeder Organisation" },
    INSTANCE_USER_MANAGER: { name: "Verwalter der Benutzer", meaning: "Benutzer jeder Organisation" },
    INSTANCE_VIEWER: { name: "Betrachter", meaning: "liest alles und ändert nichts" },
  },
  roles: "Rollen",
  since: "Seit",
  add: "Mitglied hinzufügen",
  change: "Ändern",
  changeOf: (name) => `Rollen von ${name}`,
  removeOf: (name) => `Alle Rollen von ${name} entfernen?`,
  removeText: "Der Benutzer bleibt und kann sich weiterhin anmelden.",
  user: "Benutzer",
  userHint: "ein Teil des Namens oder der Adresse, oder die ID eines beliebigen Benutzers",
  placed: {
    title: "Zugänge, die andere angelegt haben",
    text: "Der Benutzer hat die Rolle. Andere haben diese Zugänge für den Benutzer angelegt und könnten damit in der Rolle handeln:",
    types: {
      [PlacedCredentialType.UNSPECIFIED]: "Anderes",
      [PlacedCredentialType.TOKEN]: "Token",
      [PlacedCredentialType.PASSKEY]: "Passkey",
      [PlacedCredentialType.IDP_LINK]: "Anbieter",
      [PlacedCredentialType.PASSWORD]: "Passwort",
      [PlacedCredentialType.LINK]: "Link",
      [PlacedCredentialType.APP]: "Dienst",
    },
    links: { initialization: "Einladung", passkey: "für einen neuen Passkey" },
    by: "angelegt von",
    endText:
      "Wenn Sie sie beenden, wird eine Person überall abgemeldet und braucht vielleicht ein neues Passwort oder eine neue Einladung; Programme mit einem Token oder Dienst funktionieren nicht mehr.",
    end: "Beenden",
    ended: "Die Zugänge wurden beendet",
    keep: "Behalten",
  },
};
