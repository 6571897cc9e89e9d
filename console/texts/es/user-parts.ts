import type { EN_CONTACT, EN_FAILED_SIGN_INS, EN_MACHINE, EN_TOKENS } from "../en/user-parts.ts";

export const ES_CONTACT: typeof EN_CONTACT = {
  title: "Teléfono y confirmación",
  phoneHint: "con el prefijo del país, por ejemplo +41\u00a044\u00a0668\u00a018\u00a000",
  isVerified: "El número está confirmado; no enviar ningún SMS",
  resendSms: "Enviar el SMS de nuevo",
  removePhone: "Quitar el número",
  verifyEmail: "Enviar un correo para confirmar la dirección",
  markVerified: "Marcar la dirección como confirmada",
};

export const ES_MACHINE: typeof EN_MACHINE = { name: "Nombre", description: "Descripción" };

export const ES_FAILED_SIGN_INS: typeof EN_FAILED_SIGN_INS = {
  title: "Inicios de sesión fallidos de los últimos 7 días",
  unknownNetwork: "Red desconocida",
  lastHour: "por última vez en la hora que empieza el",
  password: "Contraseñas incorrectas",
  oneTimeCode: "Códigos de un solo uso incorrectos",
  passkey: "Llaves de acceso rechazadas",
};

export const ES_TOKENS: typeof EN_TOKENS = {
  title: "Tokens de acceso personales",
  add: "Crear un token",
  added: "Se ha creado el token",
  token: "Token",
  created: "Creado",
  expires: "Caduca",
  neverExpires: "No caduca",
  lastUsed: "Último uso",
  neverUsed: "Sin usar",
  until: "Último día",
  untilHint: "vacío para un token que no caduca",
};
