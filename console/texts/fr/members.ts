import { PlacedCredentialType } from "../../../gen/signet/v1/member_pb.js";
import type { EN_MEMBERS } from "../en/members.ts";

export const FR_MEMBERS: typeof EN_MEMBERS = {
  title: "Membres",
  text: "Personnes et machines ayant un rôle dans l’instance, qui s’applique à toutes les organisations.",
  choices: {
    INSTANCE_OWNER: { name: "Propriétaire", meaning: "tout, dans toutes les organisations" },
    INSTANCE_USER_MANAGER: {
      name: "Gestionnaire des utilisateurs",
      meaning: "les utilisateurs de toutes les organisations",
    },
    INSTANCE_VIEWER: { name: "Lecteur", meaning: "lit tout et ne modifie rien" },
  },
  roles: "Rôles",
  since: "Depuis",
  add: "Ajouter un membre",
  change: "Modifier",
  changeOf: (name) => `Rôles de ${name}`,
  removeOf: (name) => `Retirer tous les rôles de ${name}\u202f?`,
  removeText: "L’utilisateur est conservé et peut se connecter comme avant.",
  user: "Utilisateur",
  userHint: "une partie du nom ou de l’adresse, ou l’ID de n’importe quel utilisateur",
  placed: {
    title: "Moyens d’accès créés par d’autres personnes",
    text: "L’utilisateur a le rôle. D’autres personnes ont créé ces moyens d’accès pour lui, et pourraient s’en servir pour agir avec ce rôle\u00a0:",
    types: {
      [PlacedCredentialType.UNSPECIFIED]: "Autre",
      [PlacedCredentialType.TOKEN]: "Jeton",
      [PlacedCredentialType.PASSKEY]: "Clé d’accès",
      [PlacedCredentialType.IDP_LINK]: "Fournisseur",
      [PlacedCredentialType.PASSWORD]: "Mot de passe",
      [PlacedCredentialType.LINK]: "Lien",
      [PlacedCredentialType.APP]: "Service",
    },
    links: { initialization: "invitation", passkey: "pour une nouvelle clé d’accès" },
    by: "créé par",
    endText:
      "Si vous les révoquez, une personne sera déconnectée partout et pourra avoir besoin d’un nouveau mot de passe ou d’une nouvelle invitation\u202f; les programmes qui utilisent un jeton ou un service cesseront de fonctionner.",
    end: "Les révoquer",
    ended: "Les moyens d’accès ont été révoqués",
    keep: "Les conserver",
  },
};
