import type { EN_NEW_USER } from "../en/new-user.ts";

export const ES_NEW_USER: typeof EN_NEW_USER = {
  way: "Primer inicio de sesión",
  ways: { invite: "Invitar por correo", password: "Crear con una contraseña" },
  meanings: {
    invite: "Un enlace lleva a una página en la que el usuario establece una contraseña.",
    password: "Usted establece la contraseña y se la da al usuario.",
  },
  isVerified: "Se sabe que la dirección es del usuario; no enviar ningún correo",
  role: "Rol",
  noRole: "Ninguno: solo inicia sesión en aplicaciones",
  noMachineRole: "Ninguno: solo llama a sus propias API",
  messages: "Mensajes",
  messageTexts: {
    invite: (address) => `${address || "El usuario"} recibirá una invitación por correo.`,
    confirm: (address) => `${address || "El usuario"} recibirá un correo para confirmar la dirección.`,
    sms: (phone) => `${phone} recibirá un SMS para confirmar el número, si el servicio envía SMS.`,
    none: "Nadie recibirá ningún mensaje.",
  },
  withoutRole: "Se ha añadido el usuario, pero sin el rol. Asígneselo en la página del usuario.",
};
