import type { EN_APIS } from "../en/apis.ts";

export const DE_APIS: typeof EN_APIS = {
  title: "APIs",
  api: "API",
  add: "Neue API",
  none: "Noch keine APIs. Eine Ihrer APIs hat eigene Tokens mit Scopes, sodass sie Tokens für andere ablehnen kann.",
  identifier: "Bezeichner",
  identifierHint:
    "Anwendungen senden ihn als Parameter resource, und Tokens haben ihn als aud. Er kann nicht geändert werden.",
  scopes: "Scopes",
  scopesHint: "Was Tokens für die API erlauben können. Ein Token behält einen entfernten Scope, bis es abläuft.",
  introspectors: "Geprüft von",
  introspectorsHint: "Die Anwendungen, als die die API Signet nach Tokens fragt.",
  unregistered: "Nicht registrierte Clients erlauben",
  unregisteredHint:
    "Etwa Werkzeuge, die sich mit jedem MCP-Server verbinden. Nur solche von den Hosts in CLIENT_METADATA_HOSTS erhalten Tokens.",
  settings: "Einstellungen",
  removeText: "Anwendungen erhalten keine Tokens mehr für sie. Das kann nicht rückgängig gemacht werden.",
};
