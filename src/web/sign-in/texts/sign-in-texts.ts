import type { Language } from "../../../messages/languages.ts";
import type { TitledText } from "../../links/texts/link-texts.ts";

export interface SignInTexts {
  readonly title: string;
  readonly app: string;
  readonly org: string;
  readonly userName: string;
  readonly password: string;
  readonly remember: string;
  readonly submit: string;
  readonly cancel: string;
  readonly forgotten: string;
  readonly errors: {
    /** For every reason that must not be revealed. */
    readonly failed: string;
    /** Takes the time of the next attempt, such as "in 5 minutes". */
    readonly tooOften: (delay: string) => string;
    /** The form has no valid token, or took too long. */
    readonly stale: string;
    /** The application requires a different user, with this user name. */
    readonly otherUser: (userName: string) => string;
  };
  readonly ended: TitledText & {
    readonly startAgain: (app: string) => string;
    /** No application is known. */
    readonly noApp: string;
  };
  readonly newPassword: TitledText & { readonly submit: string };
  readonly address: {
    readonly title: string;
    readonly sent: (email: string) => string;
    /** Follows `sent`, or stands alone if no email can be sent. */
    readonly next: string;
    readonly notYet: string;
    readonly submit: string;
    readonly sendAgain: string;
    readonly cannotSend: (email: string) => string;
  };
  readonly reset: TitledText & {
    readonly submit: string;
    readonly back: string;
    readonly sent: TitledText;
  };
}

export const SIGN_IN_TEXTS: Readonly<Record<Language, SignInTexts>> = {
  en: {
    title: "Sign in",
    app: "Application",
    org: "Organization",
    userName: "User name",
    password: "Password",
    remember: "Keep me signed in",
    submit: "Sign in",
    cancel: "Cancel",
    forgotten: "Forgot your password?",
    errors: {
      failed: "The user name or the password is incorrect.",
      tooOften: (when) => `There were too many attempts. Please try again ${when}.`,
      stale: "This page was open for too long. Please sign in again.",
      otherUser: (userName) => `The application requires a different account. Please sign in as ${userName}.`,
    },
    ended: {
      title: "This sign-in has ended",
      text: "It was already completed, it took too long, or your browser is blocking cookies from this site.",
      startAgain: (app) => `Start again at ${app}`,
      noApp: "Please go back to the application and start again.",
    },
    newPassword: {
      title: "Choose a new password",
      text: "You must change your password before you can continue.",
      submit: "Set password and continue",
    },
    address: {
      title: "Confirm your email address",
      sent: (email) => `We have sent a link to ${email}. Please also check your spam folder.`,
      next: "Open the link, then return to this page and continue.",
      notYet: "The address has not been confirmed yet.",
      submit: "Continue",
      sendAgain: "Send the link again",
      cannotSend: (email) => `Your address ${email} has not been confirmed. Please ask your administrator for a link.`,
    },
    reset: {
      title: "Forgot your password?",
      text: "Enter your user name. We will send a link to choose a new password to the email address of your account.",
      submit: "Send the link",
      back: "Back to sign-in",
      sent: {
        title: "Check your email",
        text: "If there is an account with this user name and a confirmed email address, a link is on its way. It may take a few minutes; please also check your spam folder.",
      },
    },
  },
  de: {
    title: "Anmelden",
    app: "Anwendung",
    org: "Organisation",
    userName: "Benutzername",
    password: "Passwort",
    remember: "Angemeldet bleiben",
    submit: "Anmelden",
    cancel: "Abbrechen",
    forgotten: "Passwort vergessen?",
    errors: {
      failed: "Der Benutzername oder das Passwort ist falsch.",
      tooOften: (when) => `Es gab zu viele Versuche. Bitte versuchen Sie es ${when} noch einmal.`,
      stale: "Diese Seite war zu lange geöffnet. Bitte melden Sie sich noch einmal an.",
      otherUser: (userName) => `Die Anwendung erfordert ein anderes Konto. Bitte melden Sie sich als ${userName} an.`,
    },
    ended: {
      title: "Diese Anmeldung ist beendet",
      text: "Sie wurde bereits abgeschlossen oder hat zu lange gedauert, oder Ihr Browser blockiert Cookies dieser Website.",
      startAgain: (app) => `Bei ${app} neu beginnen`,
      noApp: "Bitte gehen Sie zurück zur Anwendung und beginnen Sie dort neu.",
    },
    newPassword: {
      title: "Wählen Sie ein neues Passwort",
      text: "Sie müssen Ihr Passwort ändern, bevor Sie fortfahren können.",
      submit: "Passwort festlegen und fortfahren",
    },
    address: {
      title: "Bestätigen Sie Ihre E\u2011Mail-Adresse",
      sent: (email) => `Wir haben einen Link an ${email} gesendet. Sehen Sie auch im Spam-Ordner nach.`,
      next: "Öffnen Sie den Link, kehren Sie dann zu dieser Seite zurück und fahren Sie fort.",
      notYet: "Die Adresse ist noch nicht bestätigt.",
      submit: "Weiter",
      sendAgain: "Link noch einmal senden",
      cannotSend: (email) => `Ihre Adresse ${email} ist nicht bestätigt. Bitten Sie Ihren Administrator um einen Link.`,
    },
    reset: {
      title: "Passwort vergessen?",
      text: "Geben Sie Ihren Benutzernamen ein. Wir senden einen Link, mit dem Sie ein neues Passwort wählen können, an die E\u2011Mail-Adresse Ihres Kontos.",
      submit: "Link senden",
      back: "Zurück zur Anmeldung",
      sent: {
        title: "Prüfen Sie Ihren Posteingang",
        text: "Wenn es ein Konto mit diesem Benutzernamen und einer bestätigten E\u2011Mail-Adresse gibt, ist ein Link unterwegs. Das kann einige Minuten dauern; sehen Sie auch im Spam-Ordner nach.",
      },
    },
  },
  fr: {
    title: "Se connecter",
    app: "Application",
    org: "Organisation",
    userName: "Nom d’utilisateur",
    password: "Mot de passe",
    remember: "Rester connecté",
    submit: "Se connecter",
    cancel: "Annuler",
    forgotten: "Mot de passe oublié\u202f?",
    errors: {
      failed: "Le nom d’utilisateur ou le mot de passe est incorrect.",
      tooOften: (when) => `Il y a eu trop de tentatives. Veuillez réessayer ${when}.`,
      stale: "Cette page est restée ouverte trop longtemps. Veuillez vous connecter de nouveau.",
      otherUser: (userName) =>
        `L’application nécessite un autre compte. Veuillez vous connecter en tant que ${userName}.`,
    },
    ended: {
      title: "Cette connexion est terminée",
      text: "Elle a déjà abouti, elle a pris trop de temps ou votre navigateur bloque les cookies de ce site.",
      startAgain: (app) => `Recommencer sur ${app}`,
      noApp: "Veuillez retourner à l’application et recommencer.",
    },
    newPassword: {
      title: "Choisissez un nouveau mot de passe",
      text: "Vous devez modifier votre mot de passe avant de continuer.",
      submit: "Définir le mot de passe et continuer",
    },
    address: {
      title: "Confirmez votre adresse e\u2011mail",
      sent: (email) => `Nous avons envoyé un lien à ${email}. Vérifiez aussi vos courriers indésirables.`,
      next: "Ouvrez le lien, puis revenez sur cette page et continuez.",
      notYet: "L’adresse n’est pas encore confirmée.",
      submit: "Continuer",
      sendAgain: "Envoyer le lien de nouveau",
      cannotSend: (email) => `Votre adresse ${email} n’est pas confirmée. Demandez un lien à votre administrateur.`,
    },
    reset: {
      title: "Mot de passe oublié\u202f?",
      text: "Saisissez votre nom d’utilisateur. Nous enverrons à l’adresse e\u2011mail de votre compte un lien pour choisir un nouveau mot de passe.",
      submit: "Envoyer le lien",
      back: "Retour à la connexion",
      sent: {
        title: "Consultez votre boîte de réception",
        text: "S’il existe un compte avec ce nom d’utilisateur et une adresse e\u2011mail confirmée, un lien est en route. Cela peut prendre quelques minutes\u202f; vérifiez aussi vos courriers indésirables.",
      },
    },
  },
  es: {
    title: "Iniciar sesión",
    app: "Aplicación",
    org: "Organización",
    userName: "Nombre de usuario",
    password: "Contraseña",
    remember: "Mantener la sesión iniciada",
    submit: "Iniciar sesión",
    cancel: "Cancelar",
    forgotten: "¿Ha olvidado la contraseña?",
    errors: {
      failed: "El nombre de usuario o la contraseña no son correctos.",
      tooOften: (when) => `Se han realizado demasiados intentos. Vuelva a intentarlo ${when}.`,
      stale: "Esta página ha estado abierta demasiado tiempo. Inicie sesión de nuevo.",
      otherUser: (userName) => `La aplicación requiere otra cuenta. Inicie sesión como ${userName}.`,
    },
    ended: {
      title: "Este inicio de sesión ha finalizado",
      text: "Ya se ha completado, ha tardado demasiado o su navegador bloquea las cookies de este sitio.",
      startAgain: (app) => `Empezar de nuevo en ${app}`,
      noApp: "Vuelva a la aplicación y empiece de nuevo.",
    },
    newPassword: {
      title: "Elija una contraseña nueva",
      text: "Debe cambiar la contraseña antes de continuar.",
      submit: "Establecer la contraseña y continuar",
    },
    address: {
      title: "Confirme su dirección de correo electrónico",
      sent: (email) => `Hemos enviado un enlace a ${email}. Revise también la carpeta de correo no deseado.`,
      next: "Abra el enlace, vuelva después a esta página y continúe.",
      notYet: "La dirección todavía no está confirmada.",
      submit: "Continuar",
      sendAgain: "Enviar el enlace de nuevo",
      cannotSend: (email) => `Su dirección ${email} no está confirmada. Pida un enlace a su administrador.`,
    },
    reset: {
      title: "¿Ha olvidado la contraseña?",
      text: "Introduzca su nombre de usuario. Enviaremos un enlace para elegir una contraseña nueva a la dirección de correo electrónico de su cuenta.",
      submit: "Enviar el enlace",
      back: "Volver al inicio de sesión",
      sent: {
        title: "Revise su bandeja de entrada",
        text: "Si existe una cuenta con este nombre de usuario y una dirección de correo electrónico confirmada, un enlace está en camino. Puede tardar unos minutos; revise también la carpeta de correo no deseado.",
      },
    },
  },
};
