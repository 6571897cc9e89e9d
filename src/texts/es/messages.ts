import type { Texts } from "../en/en.ts";
import { NOTICES } from "./notices.ts";

export const MESSAGES: Texts["messages"] = {
  email: {
    greeting: "Hola:",
    greetingByName: "Hola, {{name}}:",
    occasion: "Se ha creado una cuenta para usted en {{host}}.",
    occasionIn: "{{org}} ha creado una cuenta para usted en {{host}}.",
    invitation: {
      subject: "{{inviter}} le invita a {{org}}",
      occasion: "{{inviter}} ha creado una cuenta para usted en {{host}}.",
    },
    changed: "Se ha registrado esta dirección para su cuenta en {{host}}.",
    confirm: {
      subject: "Confirme su dirección de correo electrónico",
      request:
        "Confirme que esta es su dirección de correo electrónico. Si todavía no tiene contraseña, podrá establecer una en la misma página.",
      button: "Confirmar la dirección",
    },
    setPassword: {
      subject: "Establezca su contraseña",
      request: "Ya puede establecer una contraseña para ella.",
      button: "Establecer la contraseña",
    },
    confirmNew: {
      subject: "Confirme su nueva dirección de correo electrónico",
      request: "Confirme que es suya.",
      button: "Confirmar la dirección",
    },
    userName: "Su nombre de usuario: {{userName}}",
    openLink: "Para ello, abra este enlace:",
    copyLink: "Si el botón no funciona, abra esta dirección:",
    validity: "El enlace es válido durante {{hours}} horas desde el envío de este correo.",
    sentTo: "Este correo se envió a {{address}}.",
    unexpected: "¿No esperaba este correo? En ese caso, puede ignorarlo sin más.",
  },
  passwordReset: {
    subject: "Elija una contraseña nueva",
    occasion: "Se ha solicitado una contraseña nueva para su cuenta en {{host}}.",
    request: "Ya puede elegir una. Hasta entonces, su contraseña actual sigue siendo válida.",
    button: "Elegir una contraseña nueva",
    validity: "El enlace es válido durante una hora desde el envío de este correo.",
  },
  registration: {
    registration: {
      subject: "Termine de crear su cuenta",
      occasion: "Alguien, probablemente usted, quiere crear una cuenta con esta dirección en {{host}}.",
      request: "Confirme que la dirección es suya y elija cómo iniciar sesión.",
      button: "Crear la cuenta",
    },
    "registration-taken": {
      subject: "Ya tiene una cuenta",
      occasion: "Alguien, probablemente usted, quiere crear una cuenta con esta dirección en {{host}}.",
      request:
        "Ya existe una. Puede iniciar sesión con ella; si ha olvidado la contraseña, elija una nueva en la misma página.",
      button: "Iniciar sesión",
    },
  },
  registrationFor: "Esta cuenta permite iniciar sesión en {{app}}.",
  signInCode: {
    subject: "Su código para iniciar sesión",
    occasion: "Alguien, probablemente usted, está iniciando sesión en {{host}} y ha solicitado este código:",
    advice: "Introdúzcalo antes de 15 minutos en la página en la que lo ha solicitado. No se lo dé a nadie.",
  },
  notices: NOTICES,
  sms: "Su clave: {{code}}, vence en 1 hora",
  resetSms: "Elija una contraseña nueva en un plazo de 1 hora:",
};
