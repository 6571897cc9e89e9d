import { PlacedCredentialType } from "../../../gen/signet/v1/member_pb.js";
import type { EN_MEMBERS } from "../en/members.ts";

export const ES_MEMBERS: typeof EN_MEMBERS = {
  title: "Miembros",
  text: "Personas y máquinas con un rol en la instancia, que se aplica a todas las organizaciones.",
  choices: {
    INSTANCE_OWNER: { name: "Propietario", meaning: "todo, en todas las organizaciones" },
    INSTANCE_USER_MANAGER: { name: "Gestor de usuarios", meaning: "los usuarios de todas las organizaciones" },
    INSTANCE_VIEWER: { name: "Lector", meaning: "lee todo y no cambia nada" },
  },
  roles: "Roles",
  since: "Desde",
  add: "Añadir un miembro",
  change: "Cambiar",
  changeOf: (name) => `Roles de ${name}`,
  removeOf: (name) => `¿Quitar todos los roles de ${name}?`,
  removeText: "El usuario se mantiene y puede iniciar sesión como antes.",
  user: "Usuario",
  userHint: "una parte del nombre o de la dirección, o el ID de cualquier usuario",
  placed: {
    title: "Credenciales creadas por otros",
    text: "El usuario tiene el rol. Otros han creado estas credenciales para el usuario y podrían actuar con ellas en el rol:",
    types: {
      [PlacedCredentialType.UNSPECIFIED]: "Otra",
      [PlacedCredentialType.TOKEN]: "Token",
      [PlacedCredentialType.PASSKEY]: "Llave de acceso",
      [PlacedCredentialType.IDP_LINK]: "Proveedor",
      [PlacedCredentialType.PASSWORD]: "Contraseña",
      [PlacedCredentialType.LINK]: "Enlace",
      [PlacedCredentialType.APP]: "Servicio",
    },
    links: { initialization: "invitación", passkey: "para una nueva llave de acceso" },
    by: "creada por",
    endText:
      "Si las anula, se cerrarán todas las sesiones de una persona, que quizá necesite una contraseña o una invitación nuevas; los programas que usan un token o un servicio dejarán de funcionar.",
    end: "Anularlas",
    ended: "Se han anulado las credenciales",
    keep: "Conservarlas",
  },
};
