import type { Texts } from "../en/en.ts";

export const FRAME: Texts["frame"] = {
  errorTitle: "Error: {{title}}",
  problems: {
    "invalid-link": {
      title: "Este enlace no es válido",
      text: "Compruebe que ha abierto el enlace completo de su mensaje. Si es así, puede que sea demasiado antiguo: inicie sesión, elija allí «¿Olvidada?» o pida un enlace nuevo a su administrador.",
    },
    "blocked-user": {
      title: "Esta cuenta no se puede usar por ahora",
      text: "Se ha desactivado o bloqueado. Póngase en contacto con su administrador.",
    },
    "not-found": {
      title: "Página no encontrada",
      text: "Compruebe la dirección o abra de nuevo el enlace de su mensaje.",
    },
    "wrong-method": {
      title: "Esta acción no es posible aquí",
      text: "La página no se puede usar de esta manera. Ábrala de nuevo, por ejemplo con el enlace de su mensaje.",
    },
    foreign: {
      title: "Este formulario procede de otro sitio",
      text: "Por su seguridad, no se ha realizado ningún cambio. Abra de nuevo la página, por ejemplo con el enlace de su mensaje.",
    },
    "wrong-type": {
      title: "No se ha podido leer este formulario",
      text: "No se ha realizado ningún cambio. Abra de nuevo la página, por ejemplo con el enlace de su mensaje.",
    },
    unreadable: {
      title: "No se ha podido leer este formulario",
      text: "No se ha realizado ningún cambio. Abra de nuevo la página, por ejemplo con el enlace de su mensaje.",
    },
    malformed: {
      title: "Esta solicitud no es válida",
      text: "Contiene algo que no se acepta aquí. Vuelva atrás y pruebe de nuevo.",
    },
    "too-slow": {
      title: "El envío ha tardado demasiado",
      text: "No se ha realizado ningún cambio. Vuelva atrás y pruebe de nuevo.",
    },
    "too-large": {
      title: "El texto es demasiado largo",
      text: "No se ha realizado ningún cambio. Vuelva atrás e introduzca un texto más corto.",
    },
    "too-many": {
      title: "Demasiados intentos",
      text: "Se han realizado demasiados intentos desde su red. Para proteger todas las cuentas, por ahora no se aceptan más.",
    },
    failed: {
      title: "Algo ha salido mal",
      text: "El problema está en nuestro servicio. Vuelva a intentarlo. Si el error se repite, facilite este número a su administrador:",
    },
    unavailable: {
      title: "Vuelva a intentarlo dentro de un momento",
      text: "El servicio no está disponible en este momento.",
    },
    tryAgain: "Vuelva a intentarlo {{delay}}.",
    details: "Detalles:",
    requestId: "Solicitud",
  },
  password: {
    show: { text: "Mostrar", label: "Mostrar la contraseña" },
    hide: { text: "Ocultar", label: "Ocultar la contraseña" },
    rule: "Al menos {{characters}} caracteres. Unas cuantas palabras seguidas son fáciles de recordar.",
    errors: {
      missing: "Elija una contraseña.",
      "too-short": "La contraseña es demasiado corta: debe tener al menos 8 caracteres.",
      "too-long":
        "La contraseña es demasiado larga: puede tener como máximo {{bytes}} bytes. Las tildes y los emojis cuentan más de una vez.",
      "not-text": "La contraseña contiene un carácter que no se puede usar.",
      common: "Muchas personas usan esta contraseña, por lo que es fácil de adivinar. Elija otra.",
      personal: "La contraseña contiene poco más que un nombre, por lo que es fácil de adivinar. Elija otra.",
      different: "Las dos contraseñas no coinciden. Introdúzcalas de nuevo.",
      unchanged: "Esta es su contraseña actual. Elija otra.",
    },
  },
  signInLink: {
    signIn: "Iniciar sesión",
    userName: "Nombre de usuario",
  },
  brand: { support: "Ayuda", terms: "Condiciones de uso", privacy: "Privacidad", watermark: "Protegido por Signet" },
};
