import type { Texts } from "../en/en.ts";

export const SIGN_IN: Texts["signIn"] = {
  titleFor: "Iniciar sesión en {{app}}",
  userName: "Nombre de usuario",
  identifiers: {
    withEmail: {
      label: "Correo electrónico o nombre de usuario",
      failed: "Correo, usuario o contraseña incorrectos.",
      shared: "¿Dirección compartida? Use el nombre de usuario.",
      resetText:
        "Introduzca su dirección de correo electrónico o su nombre de usuario. Enviaremos un enlace para elegir una contraseña nueva a la dirección de correo electrónico de su cuenta.",
      sentText:
        "Si existe una cuenta con este nombre de usuario o con esta dirección de correo electrónico confirmada, un enlace está en camino. Puede tardar unos minutos; revise también la carpeta de correo no deseado. Si varias cuentas comparten la dirección, introduzca en su lugar el nombre de usuario.",
    },
    withPhone: {
      label: "Teléfono o nombre de usuario",
      failed: "Teléfono, usuario o contraseña incorrectos.",
      shared: "¿Número compartido? Use el nombre de usuario.",
      resetText:
        "Introduzca su número de teléfono o su nombre de usuario. Enviaremos un enlace para elegir una contraseña nueva a la dirección de correo electrónico de su cuenta.",
      sentText:
        "Si existe una cuenta con este nombre de usuario o con este número de teléfono confirmado, y con una dirección de correo electrónico confirmada, un enlace está en camino a esa dirección. Puede tardar unos minutos; revise también la carpeta de correo no deseado. Si varias cuentas comparten el número, introduzca en su lugar el nombre de usuario.",
    },
    nameOnly: {
      label: "Nombre de usuario",
      failed: "Usuario o contraseña incorrectos.",
      resetText:
        "Introduzca su nombre de usuario. Enviaremos un enlace para elegir una contraseña nueva a la dirección de correo electrónico de su cuenta.",
      sentText:
        "Si existe una cuenta con este nombre de usuario y una dirección de correo electrónico confirmada, un enlace está en camino. Puede tardar unos minutos; revise también la carpeta de correo no deseado.",
    },
  },
  password: "Contraseña",
  remember: "Mantener la sesión iniciada",
  submit: "Iniciar sesión",
  cancel: "Cancelar",
  forgotten: "¿Olvidada?",
  errors: {
    tooOften: "Demasiados intentos. Inténtelo {{delay}}.",
    unavailable: "En este momento no es posible iniciar sesión. Vuelva a intentarlo dentro de unos minutos.",
    stale: "Esta página ha estado abierta demasiado tiempo. Inicie sesión de nuevo.",
    otherUser: "La aplicación requiere otra cuenta. Inicie sesión como {{userName}}.",
  },
  ended: {
    title: "Este inicio de sesión ha finalizado",
    text: "Ya se ha completado, ha tardado demasiado o su navegador bloquea las cookies de este sitio.",
    startAgain: "Empezar de nuevo en {{app}}",
    noApp: "Vuelva a la aplicación y empiece de nuevo.",
  },
  newPassword: {
    title: "Elija una contraseña nueva",
    text: "Debe cambiar la contraseña antes de continuar.",
    submit: "Establecer la contraseña y continuar",
  },
  address: {
    title: "Confirme su dirección de correo electrónico",
    sent: "Hemos enviado un enlace a {{email}}. Revise también la carpeta de correo no deseado.",
    next: "Abra el enlace, vuelva después a esta página y continúe.",
    notYet: "La dirección todavía no está confirmada.",
    submit: "Continuar",
    sendAgain: "Enviar el enlace de nuevo",
    cannotSend: "Su dirección {{email}} no está confirmada. Pida un enlace a su administrador.",
  },
  reset: {
    title: "¿Ha olvidado la contraseña?",
    submit: "Enviar el enlace",
    back: "Volver al inicio de sesión",
    sent: { title: "Revise su bandeja de entrada" },
  },
  discovery: { next: "Continuar", other: "Usar otra cuenta" },
  registration: {
    open: "Crear una cuenta",
    title: "Crear una cuenta",
    text: "Introduzca su dirección de correo electrónico. Le enviaremos un enlace para confirmarla; después elegirá cómo iniciar sesión.",
    email: "Dirección de correo electrónico",
    invalidEmail: "Introduzca una dirección de correo electrónico, por ejemplo, nombre@example.com.",
    submit: "Continuar",
    sent: {
      title: "Revise su bandeja de entrada",
      text: "Hemos enviado un correo a {{email}}. Abra su enlace en este navegador para continuar. Puede tardar unos minutos; revise también la carpeta de correo no deseado.",
    },
    finish: {
      title: "Termine de crear su cuenta",
      text: "Su dirección {{email}} está confirmada. Introduzca su nombre y elija cómo iniciar sesión.",
      firstName: "Nombre",
      lastName: "Apellidos",
      userName: "Nombre de usuario",
      password: "Crear la cuenta",
      passkey: "Usar una llave de acceso",
      needsScript: "Para crear la cuenta con una llave de acceso, active JavaScript.",
      invalid: "Este valor falta o no es válido.",
      foreignAddress:
        "Un nombre de usuario con @ o un número de teléfono debe ser su propia dirección o número confirmado.",
      taken: "Este nombre de usuario ya está en uso. Elija otro.",
      refused: "Esta llave de acceso no se ha aceptado. Inténtelo de nuevo.",
    },
    ready: {
      title: "Su cuenta está lista",
      text: "Ya puede iniciar sesión con {{email}}.",
      next: "Continuar a {{app}}",
    },
    taken: {
      title: "Ya tiene una cuenta",
      text: "Ya existe una cuenta con la dirección {{email}}. Inicie sesión con ella.",
    },
    over: {
      title: "Este enlace ya no es válido",
      text: "Ha caducado, se copió incompleto o ya no se pueden crear cuentas aquí. Empiece de nuevo.",
      again: "Empezar de nuevo",
    },
  },
  oneTimeCode: {
    title: "Introduzca su código de un solo uso",
    text: "Abra su aplicación de autenticación e introduzca el código que muestra para esta cuenta.",
    code: "Código de un solo uso",
    submit: "Continuar",
    recovery: {
      open: "Usar un código de recuperación",
      code: "Código de recuperación",
      hint: "Uno de los códigos que guardó al configurar los códigos de un solo uso. Cada código funciona una sola vez.",
      wrong: "Este código no es correcto o ya se ha usado.",
    },
    wrong: "Este código no es correcto o ya se ha usado. Espere a que aparezca el siguiente.",
  },
  recentProof: {
    title: "Confirme que es usted",
    text: "{{name}} no ha confirmado que acaba de iniciar sesión allí. Para continuar, solicite un código a su dirección de correo electrónico.",
    send: "Enviar un código",
    sendAgain: "Enviar otro código",
    sent: "Se ha enviado un código a {{email}}. Es válido durante 15 minutos.",
    code: "Código del correo",
    wrong: "Este código no es correcto o ya no es válido.",
    otherWay: "Iniciar sesión de otra forma",
  },
  passkey: {
    submit: "Iniciar sesión con una llave de acceso",
    outcomes: {
      waiting: "Siga las instrucciones de su navegador.",
      canceled:
        "Se ha cancelado el inicio de sesión o este dispositivo no tiene ninguna llave de acceso para este sitio.",
      otherHost: "Las llaves de acceso no funcionan en esta dirección.",
      failed:
        "Su dispositivo no ha podido usar una llave de acceso. Vuelva a intentarlo o inicie sesión de otra forma.",
    },
    refused: "No se ha aceptado esta llave de acceso. Vuelva a intentarlo o inicie sesión de otra forma.",
  },
  secondFactor: {
    back: "Atrás",
    title: "Proteja su cuenta",
    text: "Su organización exige un segundo paso además de la contraseña. Elija qué quiere usar; solo lleva un minuto.",
    until:
      "A partir del {{day}}, su organización exigirá un segundo paso además de la contraseña. Configúrelo ahora o más tarde.",
    app: "Usar una aplicación de autenticación",
    passkey: "Añadir una llave de acceso",
    later: "Ahora no",
    confirm: {
      title: "Confirme con su llave de acceso",
      text: "Su organización exige un segundo paso. Use la llave de acceso de su cuenta.",
      needsScript: "Para usar una llave de acceso, active JavaScript.",
    },
  },
  passkeyOffer: {
    title: "¿Iniciar sesión más rápido la próxima vez?",
    text: "Con una llave de acceso puede iniciar sesión con su huella digital, su cara o el PIN de su dispositivo, sin contraseña. También puede añadir una más tarde en la página de su cuenta.",
    add: "Añadir una llave de acceso",
    later: "Ahora no",
    without: "Continuar sin llave de acceso",
  },
  idp: {
    or: "o",
    button: "Iniciar sesión con {{name}}",
    google: "Iniciar sesión con Google",
    search: {
      label: "Buscar otro servicio",
      submit: "Buscar",
      none: "No se ha encontrado ningún servicio con este nombre.",
    },
    errors: {
      denied: "El inicio de sesión con {{name}} se ha cancelado o rechazado.",
      over: "El inicio de sesión con el otro servicio ha tardado demasiado o se ha empezado de nuevo. Vuelva a intentarlo.",
      gone: "Este servicio ya no se puede usar para iniciar sesión.",
      blocked: "No puede iniciar sesión con esta cuenta.",
      notFresh:
        "{{name}} no ha confirmado que acaba de iniciar sesión allí. Inicie sesión de otra forma o cierre antes la sesión allí.",
      notEnough:
        "Debido a sus roles, el inicio de sesión con el servicio de su organización no es suficiente para este paso. Inicie sesión con su contraseña o con una llave de acceso.",
    },
    continue: {
      text: "Su navegador abre {{name}}. Si no ocurre nada, elija «Continuar».",
      submit: "Continuar",
    },
    failed: {
      title: "El inicio de sesión con {{name}} ha fallado",
      unreachable:
        "No se puede acceder a {{name}} en este momento. Vuelva a intentarlo más tarde o inicie sesión de otra forma.",
      refused:
        "La conexión con {{name}} no está configurada correctamente. Póngase en contacto con su administrador o inicie sesión de otra forma.",
      invalid: "No se ha podido verificar la respuesta de {{name}}. Vuelva a intentarlo o inicie sesión de otra forma.",
      tooLarge:
        "La respuesta de {{name}} es demasiado grande. Consulte a su administrador o inicie sesión de otra forma.",
      back: "Volver al inicio de sesión",
    },
    unknown: {
      title: "Cuenta todavía no vinculada",
      text: "Su cuenta de {{name}} todavía no está vinculada a una cuenta de {{org}}.",
      link: "Ya tengo una cuenta",
      linkHint:
        "Si ya tiene una cuenta, inicie sesión en ella una vez. Después podrá iniciar sesión de las dos formas.",
      register: "Crear una cuenta nueva",
      closed: "No puede iniciar sesión aquí con esta cuenta. Pida a su administrador que la vincule.",
    },
    unsolicited: {
      title: "¿Iniciar sesión con {{name}}?",
      text: "{{name}} le ha enviado aquí para iniciar sesión. Continúe solo si era su intención y esta es su cuenta. De lo contrario, cierre esta página.",
      id: "Identificador de la cuenta",
      replaces: "Otra persona tiene la sesión iniciada en este navegador. Si continúa, se cerrará su sesión.",
      submit: "Continuar",
    },
    linked: {
      title: "Sus cuentas ya están vinculadas",
      text: "{{name}} ha confirmado su dirección {{email}}, por lo que su cuenta allí está vinculada a la suya aquí. Ahora puede iniciar sesión con {{name}}. Si no lo esperaba, elimine el vínculo en la página de su cuenta.",
      submit: "Continuar",
    },
    register: {
      title: "Cree su cuenta",
      text: "Compruebe los datos facilitados por {{name}}.",
      firstName: "Nombre",
      lastName: "Apellidos",
      email: "Dirección de correo electrónico",
      submit: "Crear la cuenta",
      foreignAddress:
        "Un nombre de usuario con @ o un número de teléfono debe ser su propia dirección o número confirmado.",
      taken: "Este nombre de usuario ya está en uso. Elija otro.",
      invalid: "Este dato falta o no es válido.",
    },
    linkNotice: "Inicie sesión en la cuenta que quiere vincular a su cuenta de {{name}}.",
    confirm: {
      title: "¿Vincular su cuenta de {{name}}?",
      text: "A partir de ahora podrá iniciar sesión aquí con su cuenta de {{name}}.",
      external: "Otra cuenta",
      submit: "Vincular las cuentas",
      skip: "Continuar sin vincular",
      failed: "No se han podido vincular las cuentas. Vuelva a intentarlo o continúe sin vincular.",
    },
  },
};
