import type { Texts } from "../en/en.ts";

export const OIDC: Texts["oidc"] = {
  logout: {
    ask: {
      title: "¿Quiere cerrar la sesión?",
      text: "Se cerrará la sesión en todas las aplicaciones de este navegador.",
      textFor:
        "{{app}} solicita que cierre la sesión. Se cerrará la sesión en todas las aplicaciones de este navegador.",
    },
    signOut: "Cerrar sesión",
    stay: "Mantener la sesión iniciada",
    done: { title: "Ha cerrado la sesión", text: "Puede cerrar esta página." },
  },
  device: {
    ask: { title: "Iniciar sesión en un dispositivo", text: "Introduzca el código que muestra el dispositivo." },
    code: "Código",
    app: "Aplicación",
    wrong: "Este código no es válido. Compárelo con el del dispositivo o empiece allí de nuevo.",
    declined: "Se ha cancelado el inicio de sesión. Para iniciar sesión, empiece de nuevo en el dispositivo.",
    expired: "Este formulario ha caducado o el navegador no ha enviado su cookie.",
    next: "Continuar",
    confirm: {
      title: "¿Es este su dispositivo?",
      text: "Continúe solo si es usted quien ha empezado este inicio de sesión y si su dispositivo muestra el mismo código.",
      apiAccess:
        "La aplicación podrá actuar en su nombre: leer y cambiar todo lo que permitan sus roles, por ejemplo usuarios, aplicaciones y proveedores de identidad. Es posible que antes tenga que volver a iniciar sesión.",
    },
    signIn: "Iniciar sesión en el dispositivo",
    cancel: "Cancelar",
    done: {
      title: "Ha iniciado sesión en el dispositivo",
      text: "Puede cerrar esta página y continuar en el dispositivo.",
    },
  },
  error: {
    expired: {
      title: "Este inicio de sesión ha caducado",
      text: "Ha tardado demasiado o se ha completado en otra pestaña. Vuelva a la aplicación e inicie sesión de nuevo.",
    },
    unknownApp: {
      title: "Aplicación desconocida",
      text: "La aplicación que le ha dirigido aquí no está registrada o se ha desactivado. Póngase en contacto con sus responsables.",
    },
    refused: {
      title: "Solicitud no válida de la aplicación",
      text: "La aplicación ha enviado una solicitud no válida. Vuelva a la aplicación y pruebe de nuevo. Si el error se repite, póngase en contacto con sus responsables.",
    },
    failed: {
      title: "Algo ha salido mal",
      text: "El problema está en nuestro servicio. Vuelva a la aplicación y pruebe de nuevo.",
    },
    details: "Detalles:",
  },
};
