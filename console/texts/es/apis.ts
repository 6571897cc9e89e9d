import type { EN_APIS } from "../en/apis.ts";

export const ES_APIS: typeof EN_APIS = {
  title: "API",
  api: "API",
  add: "Nueva API",
  none: "Todavía no hay ninguna API. Una API que añada tiene sus propios tokens de acceso, con scopes, y puede rechazar los tokens destinados a otras.",
  identifier: "Identificador",
  identifierHint:
    "Las aplicaciones lo envían en el parámetro resource, y los tokens lo contienen como aud. No se puede cambiar.",
  scopes: "Scopes",
  scopesHint: "Lo que pueden permitir los tokens de la API. Un token conserva un scope eliminado hasta que caduca.",
  introspectors: "Comprobada por",
  introspectorsHint: "Las aplicaciones con cuyas credenciales la API pregunta a Signet por los tokens.",
  unregistered: "Permitir clientes no registrados",
  unregisteredHint:
    "Por ejemplo, herramientas que se conectan a cualquier servidor MCP. Solo los de los hosts de CLIENT_METADATA_HOSTS obtienen tokens.",
  settings: "Configuración",
  removeText: "Las aplicaciones ya no obtendrán tokens para ella. Esta acción no se puede deshacer.",
};
