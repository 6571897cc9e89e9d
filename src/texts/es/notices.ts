import type { Texts } from "../en/en.ts";

export const NOTICES: Texts["messages"]["notices"] = {
  kinds: {
    "password-changed": {
      subject: "Se ha cambiado su contraseña",
      occasion: "Se ha cambiado la contraseña de su cuenta en {{host}}.",
    },
    "email-changed": {
      subject: "Se ha cambiado su dirección de correo electrónico",
      occasion: "Su cuenta en {{host}} tiene ahora otra dirección de correo electrónico.",
    },
    "phone-changed": {
      subject: "Se ha cambiado su número de teléfono",
      occasion: "Su cuenta en {{host}} tiene ahora un nuevo número de teléfono.",
    },
    "phone-removed": {
      subject: "Se ha eliminado su número de teléfono",
      occasion: "Se ha eliminado el número de teléfono de su cuenta en {{host}}.",
    },
    "one-time-codes-added": {
      subject: "Se han configurado códigos de un solo uso",
      occasion:
        "Se han configurado códigos de un solo uso de una aplicación de autenticación para su cuenta en {{host}}.",
    },
    "one-time-codes-removed": {
      subject: "Se han desactivado los códigos de un solo uso",
      occasion: "Su cuenta en {{host}} ya no pide códigos de un solo uso de una aplicación de autenticación.",
    },
    "recovery-codes-replaced": {
      subject: "Se han sustituido sus códigos de recuperación",
      occasion:
        "Se han creado nuevos códigos de recuperación para su cuenta en {{host}}. Los anteriores ya no son válidos.",
    },
    "recovery-code-used": {
      subject: "Se ha usado un código de recuperación",
      occasion: "Se ha usado un código de recuperación de su cuenta en {{host}}. Ya no es válido.",
    },
    "passkey-added": {
      subject: "Se ha añadido una llave de acceso",
      occasion: "Se ha añadido una llave de acceso a su cuenta en {{host}}.",
    },
    "passkey-removed": {
      subject: "Se ha eliminado una llave de acceso",
      occasion: "Se ha eliminado una llave de acceso de su cuenta en {{host}}.",
    },
    "provider-linked": {
      subject: "Se ha añadido una forma de iniciar sesión",
      occasion: "Su cuenta en {{host}} se ha vinculado a una cuenta de otro proveedor.",
    },
    "provider-unlinked": {
      subject: "Se ha eliminado una forma de iniciar sesión",
      occasion: "Su cuenta en {{host}} ya no está vinculada a una cuenta de otro proveedor.",
    },
    "new-device": {
      subject: "Nuevo inicio de sesión en su cuenta",
      occasion: "Alguien ha iniciado sesión en su cuenta en {{host}} desde un dispositivo no usado hasta ahora.",
    },
  },
  byOther: "Un administrador o una aplicación ha hecho este cambio.",
  time: "Fecha y hora: {{time}}",
  browser: "Navegador: {{names}}",
  advice:
    "Si ha sido usted, no tiene que hacer nada. Si no, inicie sesión de inmediato, cambie su contraseña y revise su cuenta. Si no puede iniciar sesión, elija «¿Olvidada?» en la página de inicio de sesión.",
  adviceWithoutLink:
    "Si ha sido usted, no tiene que hacer nada. Si no, póngase en contacto de inmediato con su administrador: con la nueva dirección se puede establecer otra contraseña.",
  button: "Revisar mi cuenta",
};
