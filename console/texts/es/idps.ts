import type { EN_IDPS } from "../en/idps.ts";

const REGISTER = "Registre Signet allí. Recibirá un id de cliente y un secreto de cliente.";
const CALLBACK = "Introduzca allí esta URL, exactamente como está.";

export const ES_IDPS: typeof EN_IDPS = {
  title: "Proveedores",
  ofInstance: "Proveedores de la instancia",
  idp: "Proveedor",
  add: "Añadir un proveedor",
  none: "Todavía no hay ningún proveedor. Con un proveedor, los usuarios inician sesión con una cuenta que tienen en otro lugar.",
  owner: "Pertenece a",
  instance: "la instancia",
  org: "la organización",
  kinds: {
    google: {
      name: "Google",
      before: `${REGISTER} En la consola de Google Cloud: Credentials, OAuth client ID, tipo Web application.`,
      after: `${CALLBACK} En el cliente de OAuth: Authorized redirect URIs.`,
    },
    microsoft: {
      name: "Microsoft Entra ID",
      before: `${REGISTER} En el centro de administración de Entra: App registrations, New registration.`,
      after: `${CALLBACK} En el registro de la aplicación: Authentication, Web, Redirect URIs.`,
    },
    apple: {
      name: "Apple",
      before:
        "En Apple Developer, cree un Services ID, cuyo identificador es el ID de cliente, y una clave para Sign in with Apple.",
      after: `${CALLBACK} En el Services ID: Sign in with Apple, Configure, Return URLs.`,
    },
    github: {
      name: "GitHub",
      before: `${REGISTER} En GitHub: Settings, Developer settings, OAuth Apps.`,
      after: `${CALLBACK} En la OAuth App: Authorization callback URL.`,
    },
    githubServer: {
      name: "GitHub Enterprise Server",
      before: `${REGISTER} En el servidor: Settings, Developer settings, OAuth Apps.`,
      after: `${CALLBACK} En la OAuth App: Authorization callback URL.`,
    },
    gitlab: {
      name: "GitLab.com",
      before: `${REGISTER} En GitLab: Preferences, Applications, con los scopes openid, profile y email.`,
      after: `${CALLBACK} En la aplicación: Redirect URI.`,
    },
    gitlabServer: {
      name: "GitLab autogestionado",
      before: `${REGISTER} Allí: Preferences, Applications, con los scopes openid, profile y email.`,
      after: `${CALLBACK} En la aplicación: Redirect URI.`,
    },
    oidc: {
      name: "OpenID Connect",
      before: REGISTER,
      after: `${CALLBACK} Puede que allí se llame URI de redireccionamiento.`,
    },
    oauth: {
      name: "OAuth 2.0",
      before: REGISTER,
      after: `${CALLBACK} Puede que allí se llame URI de redireccionamiento.`,
    },
    saml: {
      name: "SAML 2.0",
      before: "Exporte los metadatos del proveedor o copie la URL de los metadatos.",
      after:
        "Haga que el proveedor importe los metadatos de Signet desde la primera URL, o introduzca allí las dos URL.",
    },
  },
  settings: "Configuración",
  urls: "URL para el proveedor",
  draftText: "Se añade sin ajustes y desactivado. Su página tiene entonces las URL que pide el proveedor.",
  steps: "URL, ajustes, prueba, oferta",
  guide: "Los pasos en la guía (en inglés)",
  callback: "URL de callback",
  entityId: "Metadatos, ID de entidad",
  acs: "Servicio consumidor de aserciones (ACS)",
  offer: {
    title: "Ofrecer",
    text: "Los usuarios todavía no ven el proveedor. Ofrézcalo cuando el inicio de sesión de prueba muestre lo que espera.",
    button: "Ofrecer en la página de inicio de sesión",
    done: (name) => `La página de inicio de sesión ofrece ${name}`,
  },
  check: {
    title: "Prueba",
    signIn: "Probar el inicio de sesión (pestaña nueva)",
    signInHint:
      "Muestra lo que el proveedor dice de una cuenta y lo que haría un inicio de sesión. No se inicia ninguna sesión ni se guarda nada. También muestra si el proveedor acepta el secreto y la URL.",
    draft: "Guarde primero los ajustes.",
    hint: "Signet carga lo que publica el proveedor, como en un inicio de sesión, y lo compara con la configuración. Nadie inicia sesión.",
    button: "Probar el proveedor",
    running: "Probando…",
    good: "No se ha encontrado ningún problema.",
    goodSoFar: "No se ha encontrado ningún problema en lo que se puede probar.",
    bad: "Los usuarios no pueden iniciar sesión con este proveedor.",
    warnings: "Advertencias",
    scopes: "Scopes que indica el proveedor",
    again: "Corríjalo en la configuración o en el proveedor y pruebe de nuevo.",
  },
  nameHint: "Los usuarios lo ven en el botón de la página de inicio de sesión.",
  keepSecret: "Déjelo vacío para conservar el guardado.",
  fields: {
    clientId: { label: "ID de cliente" },
    clientSecret: { label: "Secreto de cliente", hint: "Se guarda cifrado y no se vuelve a mostrar." },
    issuer: {
      label: "Emisor",
      hint: "Sus metadatos están en esta URL, seguida de /.well-known/openid-configuration.",
    },
    scopes: {
      label: "Scopes solicitados",
      hint: "Separados por espacios. Si no hay ninguno, Signet solicita los que necesita.",
    },
    authorizationEndpoint: { label: "Endpoint de autorización" },
    tokenEndpoint: { label: "Endpoint de tokens" },
    userEndpoint: { label: "Endpoint del usuario", hint: "Devuelve los datos del usuario en JSON." },
    idAttribute: {
      label: "Campo con el ID del usuario",
      hint: "En los datos del usuario, por ejemplo id o data.id.",
    },
    usePkce: { label: "Code challenge (PKCE)", hint: "Recomendado, salvo que el proveedor lo rechace." },
    isIdTokenMapping: {
      label: "Leer solo el token de ID",
      hint: "Signet no consulta el endpoint de información del usuario (userinfo).",
    },
    requireAuthTime: {
      label: "Exigir la hora de autenticación",
      hint: "Si una aplicación envía max_age. Si no, basta con que se haya pedido al proveedor que solicite un nuevo inicio de sesión.",
    },
    trustEmail: {
      label: "Confiar en sus direcciones",
      hint: "Cuentan como confirmadas, salvo que el proveedor diga lo contrario. Solo si el proveedor las confirma.",
    },
    tenant: { label: "Quién puede iniciar sesión" },
    tenantId: { label: "Inquilino (tenant)", hint: "Su ID o un nombre de dominio." },
    emailVerified: {
      label: "Las direcciones están confirmadas",
      hint: "Solo para un único inquilino que las confirme: sus administradores pueden establecer cualquier dirección.",
    },
    userIdAttribute: {
      label: "Los usuarios se vinculan por",
      hint: "Los vínculos de una importación tienen el ID de objeto. Un inicio de sesión cambia un vínculo que tenga el otro.",
    },
    teamId: { label: "ID de equipo" },
    keyId: { label: "ID de clave" },
    privateKey: {
      label: "Clave privada",
      hint: "El contenido del archivo .p8. Se guarda cifrado y no se vuelve a mostrar.",
    },
    metadataUrl: { label: "URL de los metadatos", hint: "Signet la carga una vez, al guardar." },
    metadataXml: { label: "Metadatos (XML)", hint: "En lugar de la URL." },
    binding: { label: "Las solicitudes se envían" },
    nameIdFormat: { label: "Nombre de los usuarios", hint: "Identifica al usuario." },
    transientMappingAttributeName: {
      label: "Atributo con el ID del usuario",
      hint: "Uno que los propios usuarios no puedan cambiar.",
    },
    withSignedRequest: { label: "Firmar las solicitudes" },
    allowIdpInitiated: {
      label: "Los inicios de sesión pueden empezar en el proveedor",
      hint: "La persona debe confirmar cada uno. Es más seguro empezar en la aplicación.",
    },
    isLinkingAllowed: {
      label: "Vincular usuarios existentes",
      hint: "Los usuarios no vinculados pueden iniciar sesión en una cuenta de aquí y vincularla.",
    },
    isCreationAllowed: {
      label: "Registrar usuarios nuevos",
      hint: "Los usuarios no vinculados pueden registrarse con un formulario.",
    },
    isAutoCreation: { label: "Registrar sin formulario", hint: "Si el proveedor envía todo lo necesario." },
    isAutoUpdate: {
      label: "Mantener actualizados los nombres y las direcciones",
      hint: "En cada inicio de sesión se adopta lo que haya cambiado en el proveedor.",
    },
    isAutoLinking: {
      label: "Vincular por la dirección sin preguntar",
      hint: "El proveedor puede iniciar sesión como cualquier usuario cuya dirección confirme. Úselo solo con un proveedor del que se fíe para confirmar direcciones.",
    },
  },
  tenants: {
    common: "Cualquiera con una cuenta de Microsoft",
    organisations: "Usuarios de organizaciones",
    consumers: "Usuarios con una cuenta personal",
    single: "Usuarios de un inquilino",
  },
  userIdAttributes: ["sub, distinto para cada registro de aplicación", "ID de objeto e inquilino (oid)"],
  bindings: ["Como permitan sus metadatos", "Con un formulario (HTTP-POST)", "Con una redirección (HTTP-Redirect)"],
  nameIdFormats: ["Cualquiera", "Dirección de correo electrónico", "Persistente", "Transitorio"],
  options: "Usuarios no vinculados",
  actions: {
    deactivate: {
      label: "Desactivar",
      text: "La página de inicio de sesión deja de ofrecerlo. Los vínculos con él se conservan.",
    },
    remove: {
      label: "Eliminar",
      text: "Se eliminarán el proveedor y todos los vínculos con él: los usuarios que no tengan otra forma de iniciar sesión se quedarán sin acceso. Esta acción no se puede deshacer.",
    },
  },
};
