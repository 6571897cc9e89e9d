import type { Texts } from "../en/en.ts";

export const LINKS: Texts["links"] = {
  init: {
    setUp: {
      title: "Configure su cuenta",
      text: "Elija una contraseña. Con ello confirma también que esta dirección de correo electrónico es suya.",
    },
    setPassword: { title: "Establezca su contraseña", text: "Elija una contraseña para su cuenta." },
    confirm: {
      title: "Confirme su dirección de correo electrónico",
      text: "Confirme que esta dirección de correo electrónico es suya.",
    },
    name: "Nombre",
    email: "Dirección de correo electrónico",
    password: "Contraseña nueva",
    passwordOptional: "Puede dejar este campo vacío, porque ya dispone de otra forma de iniciar sesión.",
    repeat: "Repita la contraseña",
    finish: "Finalizar",
    confirmButton: "Confirmar",
    done: {
      title: "Todo listo",
      confirmedAndPasswordSet: "Su dirección de correo electrónico está confirmada y se ha establecido su contraseña.",
      confirmed: "Su dirección de correo electrónico está confirmada. Puede cerrar esta ventana.",
      passwordSet: "Se ha establecido su contraseña.",
      nothingSet: "No se ha establecido ninguna contraseña. Puede cerrar esta ventana.",
    },
    otherUser: {
      text: "En este navegador hay otra cuenta con la sesión iniciada. Para usar la suya, cierre antes esa sesión.",
      open: "Abrir la otra cuenta",
    },
    used: { title: "Este enlace ya se ha usado", text: "Cada enlace funciona una sola vez." },
    expired: {
      title: "Este enlace ha caducado",
      text: "Por su seguridad, un enlace solo es válido durante un tiempo limitado.",
    },
    replaced: {
      title: "Hay un enlace más reciente",
      text: "Abra el enlace del correo más reciente que haya recibido.",
    },
    taken: {
      title: "Esta dirección no se puede confirmar",
      text: "Es el nombre de usuario de otra cuenta. Póngase en contacto con su administrador.",
    },
    outdated: {
      title: "Este enlace ya no es válido",
      text: "Se envió a una dirección de correo electrónico que la cuenta ya no utiliza.",
    },
    finished: {
      title: "No queda nada por hacer",
      text: "Este enlace ya se ha usado o ya no es necesario. Puede cerrar esta ventana.",
    },
    sendOffer: "Si necesita un enlace nuevo, podemos enviarlo a {{recipient}}.",
    send: "Enviar un enlace nuevo",
    contactAdministrator: "Si necesita un enlace nuevo, póngase en contacto con su administrador.",
    sent: {
      title: "Un enlace nuevo está en camino",
      text: "Se ha enviado a {{recipient}}. Los enlaces anteriores ya no funcionan. Puede cerrar esta ventana.",
      again: "Podrá solicitar el siguiente {{delay}}.",
    },
    tooOften: {
      title: "Espere un momento",
      text: "Ya le hemos enviado enlaces; revise también la carpeta de correo no deseado. El siguiente enlace se podrá enviar {{delay}}.",
    },
  },
  newEmail: {
    text: "Entonces sustituirá la dirección actual de su cuenta.",
    changesName: "Usarla también como nombre de usuario",
    title: "Dirección cambiada",
    changed: "La dirección de su cuenta es ahora {{address}}.",
    nameChanged: "Ahora es también su nombre de usuario.",
    nameTaken: "Su nombre de usuario no cambia, porque otra persona usa esta dirección.",
    used: { title: "Enlace ya usado", text: "La dirección ya se cambió con este enlace." },
    over: { title: "El enlace ya no es válido", text: "Solicite un enlace nuevo en la página de su cuenta." },
    toAccount: "Abrir su cuenta",
  },
  phone: {
    confirm: {
      title: "Confirme su número de teléfono",
      text: "Introduzca el código de seis dígitos que le hemos enviado por SMS.",
    },
    name: "Nombre",
    number: "Número de teléfono",
    endingIn: "al número que termina en {{digits}}",
    digits: "Código",
    digitsRule: "Seis dígitos, por ejemplo 123 456",
    errors: {
      malformed: "El código tiene seis dígitos. Introdúzcalos todos.",
      wrong: {
        one: "Este código no es correcto. Le queda un intento.",
        other: "Este código no es correcto. Le quedan {{left}} intentos.",
      },
    },
    confirmButton: "Confirmar",
    ended: {
      title: "Demasiados intentos incorrectos",
      text: "Por su seguridad, este código ya no funciona, aunque lo introduzca correctamente.",
    },
    tooMany: {
      title: "Demasiados códigos incorrectos",
      text: "Por su seguridad, por ahora no se aceptan más códigos. Podrá volver a intentarlo con un código nuevo {{delay}}.",
    },
    done: { title: "Todo listo", text: "Su número de teléfono está confirmado. Puede cerrar esta ventana." },
    used: { title: "Este código ya se ha usado", text: "Cada código funciona una sola vez." },
    expired: {
      title: "Este código ha caducado",
      text: "Por su seguridad, un código solo es válido durante un tiempo limitado.",
    },
    replaced: {
      title: "Hay un código más reciente",
      text: "Abra el enlace del SMS más reciente que haya recibido.",
    },
    taken: {
      title: "Este número no se puede confirmar",
      text: "Es el nombre de usuario de otra cuenta. Póngase en contacto con su administrador.",
    },
    outdated: {
      title: "Este enlace ya no es válido",
      text: "Se envió a un número de teléfono que la cuenta ya no utiliza.",
    },
    finished: {
      title: "No queda nada por hacer",
      text: "Su número de teléfono está confirmado. Puede cerrar esta ventana.",
    },
    sendOffer: "Si necesita un código nuevo, podemos enviarlo {{recipient}}.",
    send: "Enviar un código nuevo",
    contactAdministrator: "Si necesita un código nuevo, póngase en contacto con su administrador.",
    sent: {
      title: "Un código nuevo está en camino",
      text: "Se ha enviado {{recipient}}. Abra el enlace del nuevo SMS; los códigos anteriores ya no funcionan.",
      again: "Podrá solicitar el siguiente {{delay}}.",
    },
    tooOften: {
      title: "Espere un momento",
      text: "Ya le hemos enviado códigos, y un SMS puede tardar un rato en llegar. El siguiente código se podrá enviar {{delay}}.",
    },
  },
  passkey: {
    title: "Configurar una llave de acceso",
    intro:
      "Con una llave de acceso (passkey) puede iniciar sesión sin contraseña: con su huella digital, su cara, un PIN o una llave de seguridad.",
    account: "Nombre",
    userName: "Nombre de usuario",
    create: "Configurar la llave de acceso",
    hint: "Si algo falla, puede volver a intentarlo. Una vez configurada la llave de acceso, el enlace deja de ser válido.",
    needsScript:
      "Esta página necesita JavaScript, porque los navegadores solo pueden crear llaves de acceso mediante un script. Active JavaScript o abra el enlace en otro navegador.",
    outcomes: {
      waiting: "Siga las instrucciones de su navegador.",
      canceled:
        "No se ha configurado ninguna llave de acceso: la operación se ha cancelado o ha tardado demasiado. Puede volver a intentarlo.",
      exists:
        "Este dispositivo ya tiene una llave de acceso para su cuenta. Puede configurar una nueva en otro dispositivo o en una llave de seguridad.",
      browserUnsupported:
        "Este navegador no puede crear llaves de acceso aquí. Abra el enlace en una versión actual de Chrome, Edge, Firefox o Safari.",
      deviceUnsupported:
        "Este dispositivo no puede crear la llave de acceso. Configure un bloqueo de pantalla o un PIN, o use otro dispositivo o una llave de seguridad.",
      wrongHost:
        "En esta dirección no se puede crear ninguna llave de acceso. Abra el enlace exactamente como lo recibió.",
      unreachable: "No se ha podido acceder al servicio. Compruebe su conexión y vuelva a intentarlo.",
      failed: "La operación no se ha completado. Vuelva a intentarlo.",
    },
    done: {
      title: "Su llave de acceso está configurada",
      text: "A partir de ahora puede iniciar sesión con ella. Puede cerrar esta página.",
    },
    used: {
      title: "Este enlace ya se ha usado",
      text: "Con este enlace se configuró una llave de acceso. Si no fue usted, avise de inmediato a su administrador.",
    },
    expired: {
      title: "Este enlace ha caducado",
      text: "Era válido durante una hora. Pida un enlace nuevo a su administrador.",
    },
    replaced: { title: "Hay un enlace más reciente", text: "Abra el enlace más reciente que haya recibido." },
    "not-begun": "La operación ha tardado demasiado o la página está abierta más de una vez. Vuelva a intentarlo.",
    taken: "Esta llave de acceso ya está registrada. Use otro dispositivo u otra llave de seguridad.",
    refused: "La llave de acceso no se ha podido verificar y no se ha guardado. Vuelva a intentarlo.",
  },
  reset: {
    choose: {
      title: "Elija una contraseña nueva",
      text: "Sustituye a la contraseña actual de su cuenta.",
      button: "Establecer la contraseña nueva",
    },
    done: {
      title: "Todo listo",
      text: "Se ha establecido su contraseña nueva.",
    },
    used: {
      title: "Este enlace ya se ha usado",
      text: "Cada enlace funciona una sola vez. Si todavía necesita una contraseña nueva, solicite un enlace nuevo.",
    },
    expired: {
      title: "Este enlace ha caducado",
      text: "Por su seguridad, un enlace solo es válido durante un tiempo limitado y hasta que se cambie la contraseña. Si todavía necesita una contraseña nueva, solicite un enlace nuevo.",
    },
    replaced: {
      title: "Hay un enlace más reciente",
      text: "Abra el enlace del mensaje más reciente que haya recibido.",
    },
    outdated: {
      title: "Este enlace ya no es válido",
      text: "Se envió a una dirección o a un número que la cuenta ya no utiliza.",
    },
  },
  next: {
    title: "¿Continuar a {{host}}?",
    text: "Este enlace lleva a otro sitio: {{host}}. Continúe solo si lo conoce y quería ir allí.",
    button: "Continuar",
  },
  firstAdministrator: {
    missing: {
      title: "Este servicio aún no tiene administrador",
      text: "El servicio muestra un enlace al iniciarse. Abra ese enlace para crear el primer administrador.",
    },
    newLink: "Para mostrar un enlace nuevo, ejecute esta orden donde funciona el servicio:",
    signIn: "Tengo una cuenta: iniciar sesión",
    create: {
      title: "Crear el primer administrador",
      text: "Tendrá todos los permisos e iniciará sesión con su dirección de correo electrónico y esta contraseña.",
      button: "Crear el administrador",
    },
    taken: "Ya existe un usuario con esta dirección. Use otra.",
    over: {
      title: "Este enlace ya no funciona",
      text: "Ha caducado, ya se ha usado o se ha copiado de forma incompleta.",
    },
  },
};
