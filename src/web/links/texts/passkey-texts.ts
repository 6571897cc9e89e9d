import type { Language } from "../../../messages/languages.ts";
import type { TitledText } from "./link-texts.ts";

interface PasskeyTexts extends Readonly<Record<RegistrationProblem, string>> {
  readonly title: string;
  readonly intro: string;
  readonly account: string;
  readonly userName: string;
  readonly create: string;
  readonly hint: string;
  readonly needsScript: string;
  readonly outcomes: PasskeyOutcomes;
  readonly done: TitledText;
  readonly used: TitledText;
  readonly expired: TitledText;
  readonly replaced: TitledText;
}

/** Texts about events in the browser. The script reads them from the page. */
export interface PasskeyOutcomes {
  readonly waiting: string;
  readonly canceled: string;
  /** The device already has a passkey of this user. */
  readonly exists: string;
  /** The browser does not support WebAuthn, or not on this page. */
  readonly browserUnsupported: string;
  /** The device cannot verify its user, or supports none of the algorithms. */
  readonly deviceUnsupported: string;
  /** The host of the page does not belong to the relying party. */
  readonly wrongHost: string;
  readonly unreachable: string;
  readonly failed: string;
}

/** Why a registration was rejected, and the HTTP status for it. */
export const REGISTRATION_PROBLEMS = { "not-begun": 409, taken: 409, refused: 422 } as const;

export type RegistrationProblem = keyof typeof REGISTRATION_PROBLEMS;

export const PASSKEY_TEXTS: Readonly<Record<Language, PasskeyTexts>> = {
  en: {
    title: "Set up a passkey",
    intro: "With a passkey, you sign in without a password: with your fingerprint, your face, a PIN or a security key.",
    account: "Name",
    userName: "User name",
    create: "Set up passkey",
    hint: "If something goes wrong, you can try again. Once the passkey is set up, the link no longer works.",
    needsScript:
      "This page requires JavaScript, because browsers can create passkeys only from a script. Please turn on JavaScript, or open the link in another browser.",
    outcomes: {
      waiting: "Please follow the instructions in your browser.",
      canceled: "No passkey was set up: the operation was canceled or took too long. You can try again.",
      exists:
        "This device already has a passkey for your account. You can set up a new one on another device or a security key.",
      browserUnsupported:
        "This browser cannot create passkeys here. Please open the link in a current version of Chrome, Edge, Firefox or Safari.",
      deviceUnsupported:
        "This device cannot create the passkey. Please set up a screen lock or a PIN, or use another device or a security key.",
      wrongHost: "No passkey can be created at this address. Please open the link exactly as you received it.",
      unreachable: "The service could not be reached. Please check your connection and try again.",
      failed: "That did not work. Please try again.",
    },
    done: { title: "Your passkey is set up", text: "From now on, you can sign in with it. You can close this page." },
    used: {
      title: "This link has already been used",
      text: "A passkey was set up with this link. If this was not you, please notify your administrator immediately.",
    },
    expired: {
      title: "This link has expired",
      text: "It was valid for one hour. Please ask your administrator for a new link.",
    },
    replaced: { title: "There is a newer link", text: "Please open the most recent link that you received." },
    "not-begun": "This took too long, or the page is open more than once. Please try again.",
    taken: "This passkey is already registered. Please use another device or security key.",
    refused: "The passkey could not be verified and was not saved. Please try again.",
  },
  de: {
    title: "Passkey einrichten",
    intro:
      "Mit einem Passkey melden Sie sich ohne Passwort an: per Fingerabdruck, Gesichtserkennung, PIN oder Sicherheitsschlüssel.",
    account: "Name",
    userName: "Benutzername",
    create: "Passkey einrichten",
    hint: "Wenn etwas nicht funktioniert, können Sie es noch einmal versuchen. Sobald der Passkey eingerichtet ist, ist der Link nicht mehr gültig.",
    needsScript:
      "Diese Seite benötigt JavaScript, weil Browser Passkeys nur über ein Skript erstellen können. Bitte aktivieren Sie JavaScript oder öffnen Sie den Link in einem anderen Browser.",
    outcomes: {
      waiting: "Bitte folgen Sie den Anweisungen in Ihrem Browser.",
      canceled:
        "Es wurde kein Passkey eingerichtet: Der Vorgang wurde abgebrochen oder hat zu lange gedauert. Sie können es noch einmal versuchen.",
      exists:
        "Auf diesem Gerät gibt es bereits einen Passkey für Ihr Konto. Einen neuen können Sie auf einem anderen Gerät oder einem Sicherheitsschlüssel einrichten.",
      browserUnsupported:
        "Dieser Browser kann hier keine Passkeys erstellen. Bitte öffnen Sie den Link in einer aktuellen Version von Chrome, Edge, Firefox oder Safari.",
      deviceUnsupported:
        "Dieses Gerät kann den Passkey nicht erstellen. Bitte richten Sie eine Bildschirmsperre oder eine PIN ein oder verwenden Sie ein anderes Gerät oder einen Sicherheitsschlüssel.",
      wrongHost:
        "Unter dieser Adresse kann kein Passkey erstellt werden. Bitte öffnen Sie den Link genau so, wie Sie ihn erhalten haben.",
      unreachable:
        "Der Dienst war nicht erreichbar. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
      failed: "Das hat nicht funktioniert. Bitte versuchen Sie es noch einmal.",
    },
    done: {
      title: "Ihr Passkey ist eingerichtet",
      text: "Ab jetzt können Sie sich damit anmelden. Sie können diese Seite schließen.",
    },
    used: {
      title: "Dieser Link wurde bereits verwendet",
      text: "Mit diesem Link wurde ein Passkey eingerichtet. Wenn Sie das nicht waren, informieren Sie bitte sofort Ihren Administrator.",
    },
    expired: {
      title: "Dieser Link ist abgelaufen",
      text: "Er war eine Stunde lang gültig. Bitten Sie Ihren Administrator um einen neuen Link.",
    },
    replaced: {
      title: "Es gibt einen neueren Link",
      text: "Bitte öffnen Sie den neuesten Link, den Sie erhalten haben.",
    },
    "not-begun": "Das hat zu lange gedauert, oder die Seite ist mehrfach geöffnet. Bitte versuchen Sie es noch einmal.",
    taken:
      "Dieser Passkey ist bereits registriert. Bitte verwenden Sie ein anderes Gerät oder einen anderen Sicherheitsschlüssel.",
    refused:
      "Der Passkey konnte nicht überprüft werden und wurde nicht gespeichert. Bitte versuchen Sie es noch einmal.",
  },
  fr: {
    title: "Configurer une clé d’accès",
    intro:
      "Avec une clé d’accès (passkey), vous vous connectez sans mot de passe\u00a0: avec votre empreinte digitale, votre visage, un code PIN ou une clé de sécurité.",
    account: "Nom",
    userName: "Nom d’utilisateur",
    create: "Configurer la clé d’accès",
    hint: "En cas de problème, vous pouvez réessayer. Une fois la clé d’accès configurée, le lien n’est plus valide.",
    needsScript:
      "Cette page nécessite JavaScript, car les navigateurs ne peuvent créer des clés d’accès qu’au moyen d’un script. Veuillez activer JavaScript ou ouvrir le lien dans un autre navigateur.",
    outcomes: {
      waiting: "Veuillez suivre les instructions de votre navigateur.",
      canceled:
        "Aucune clé d’accès n’a été configurée\u00a0: l’opération a été annulée ou a pris trop de temps. Vous pouvez réessayer.",
      exists:
        "Cet appareil possède déjà une clé d’accès pour votre compte. Vous pouvez en configurer une nouvelle sur un autre appareil ou sur une clé de sécurité.",
      browserUnsupported:
        "Ce navigateur ne peut pas créer de clé d’accès ici. Veuillez ouvrir le lien dans une version récente de Chrome, Edge, Firefox ou Safari.",
      deviceUnsupported:
        "Cet appareil ne peut pas créer la clé d’accès. Veuillez définir un verrouillage de l’écran ou un code PIN, ou utiliser un autre appareil ou une clé de sécurité.",
      wrongHost:
        "Aucune clé d’accès ne peut être créée à cette adresse. Veuillez ouvrir le lien exactement tel que vous l’avez reçu.",
      unreachable: "Le service n’a pas pu être joint. Veuillez vérifier votre connexion et réessayer.",
      failed: "L’opération n’a pas abouti. Veuillez réessayer.",
    },
    done: {
      title: "Votre clé d’accès est configurée",
      text: "Vous pouvez désormais l’utiliser pour vous connecter. Vous pouvez fermer cette page.",
    },
    used: {
      title: "Ce lien a déjà été utilisé",
      text: "Une clé d’accès a été configurée avec ce lien. Si ce n’était pas vous, prévenez immédiatement votre administrateur.",
    },
    expired: {
      title: "Ce lien a expiré",
      text: "Il était valable une heure. Veuillez demander un nouveau lien à votre administrateur.",
    },
    replaced: {
      title: "Il existe un lien plus récent",
      text: "Veuillez ouvrir le lien le plus récent que vous avez reçu.",
    },
    "not-begun": "L’opération a pris trop de temps, ou la page est ouverte plusieurs fois. Veuillez réessayer.",
    taken: "Cette clé d’accès est déjà enregistrée. Veuillez utiliser un autre appareil ou une autre clé de sécurité.",
    refused: "La clé d’accès n’a pas pu être vérifiée et n’a pas été enregistrée. Veuillez réessayer.",
  },
  es: {
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
};
