import type { EN_APIS } from "../en/apis.ts";

export const FR_APIS: typeof EN_APIS = {
  title: "API",
  api: "API",
  add: "Nouvelle API",
  none: "Aucune API pour l’instant. Une API que vous ajoutez a ses propres jetons d’accès, avec des scopes, et peut refuser les jetons destinés à d’autres.",
  identifier: "Identifiant",
  identifierHint:
    "Les applications l’envoient dans le paramètre resource, et les jetons le contiennent dans aud. Il ne peut pas être modifié.",
  scopes: "Scopes",
  scopesHint:
    "Ce que les jetons de l’API peuvent autoriser. Un jeton conserve un scope supprimé jusqu’à son expiration.",
  introspectors: "Vérifiée par",
  introspectorsHint: "Les applications dont l’API utilise les identifiants pour interroger Signet sur les jetons.",
  unregistered: "Autoriser les clients non enregistrés",
  unregisteredHint:
    "Par exemple, des outils qui se connectent à n’importe quel serveur MCP. Seuls ceux des hôtes de CLIENT_METADATA_HOSTS obtiennent des jetons.",
  settings: "Paramètres",
  removeText: "Les applications n’obtiendront plus de jetons pour elle. Cette action est irréversible.",
};
