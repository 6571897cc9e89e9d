import type { Language } from "../../../messages/languages.ts";
import type { TitledText } from "../../links/texts/link-texts.ts";

export interface AccountTexts {
  readonly title: string;
  readonly name: string;
  readonly userName: string;
  readonly email: string;
  readonly phone: string;
  readonly org: string;
  readonly password: {
    readonly title: string;
    readonly change: string;
    readonly text: string;
    readonly current: string;
    readonly submit: string;
    readonly wrong: string;
    readonly back: string;
    readonly changed: TitledText;
  };
  readonly passkeys: {
    readonly title: string;
    readonly none: string;
    /** A passkey without a name. Takes the day on which it was registered. */
    readonly since: (date: string) => string;
    readonly add: string;
    readonly remove: string;
    readonly hint: string;
  };
  readonly idps: { readonly title: string; readonly remove: string };
  readonly sessions: {
    readonly title: string;
    readonly since: (time: string) => string;
    readonly here: string;
    readonly end: string;
  };
  readonly signOut: string;
  readonly signOutEverywhere: string;
  readonly signedOut: TitledText & { readonly signIn: string };
  readonly notSignedIn: string;
  readonly noCookies: TitledText;
  /** The form has no valid token, or its subject has changed. */
  readonly stale: string;
  readonly onlyWay: string;
}

export const ACCOUNT_TEXTS: Readonly<Record<Language, AccountTexts>> = {
  en: {
    title: "Your account",
    name: "Name",
    userName: "User name",
    email: "Email address",
    phone: "Phone number",
    org: "Organization",
    password: {
      title: "Password",
      change: "Change the password",
      text: "This signs you out everywhere else.",
      current: "Current password",
      submit: "Change the password",
      wrong: "This is not your current password.",
      back: "Back to your account",
      changed: { title: "Password changed", text: "You have been signed out everywhere else." },
    },
    passkeys: {
      title: "Passkeys",
      none: "This account has no passkeys.",
      since: (date) => `Passkey from ${date}`,
      add: "Add a passkey",
      remove: "Remove",
      hint: "When you remove a passkey or a linked account, you are signed out everywhere else.",
    },
    idps: { title: "Linked accounts", remove: "Remove" },
    sessions: {
      title: "Where you are signed in",
      since: (time) => `Since ${time}`,
      here: "This browser",
      end: "Sign out",
    },
    signOut: "Sign out",
    signOutEverywhere: "Sign out everywhere",
    signedOut: { title: "You are signed out", text: "You can close this window.", signIn: "Sign in" },
    notSignedIn: "You are not signed in",
    noCookies: {
      title: "Your browser blocks cookies",
      text: "Please allow cookies for this site, and open the page again.",
    },
    stale: "The page was out of date, so nothing was changed. Please try again.",
    onlyWay: "This is your only way to sign in. Add another one before you remove it.",
  },
  de: {
    title: "Ihr Konto",
    name: "Name",
    userName: "Benutzername",
    email: "E\u2011Mail-Adresse",
    phone: "Telefonnummer",
    org: "Organisation",
    password: {
      title: "Passwort",
      change: "Passwort ändern",
      text: "Alle Ihre anderen Sitzungen werden dabei beendet.",
      current: "Aktuelles Passwort",
      submit: "Passwort ändern",
      wrong: "Das ist nicht Ihr aktuelles Passwort.",
      back: "Zurück zu Ihrem Konto",
      changed: { title: "Passwort geändert", text: "Alle Ihre anderen Sitzungen wurden beendet." },
    },
    passkeys: {
      title: "Passkeys",
      none: "Dieses Konto hat keine Passkeys.",
      since: (date) => `Passkey vom ${date}`,
      add: "Passkey hinzufügen",
      remove: "Entfernen",
      hint: "Wenn Sie einen Passkey oder ein verknüpftes Konto entfernen, werden alle Ihre anderen Sitzungen beendet.",
    },
    idps: { title: "Verknüpfte Konten", remove: "Entfernen" },
    sessions: {
      title: "Wo Sie angemeldet sind",
      since: (time) => `Seit ${time}`,
      here: "Dieser Browser",
      end: "Abmelden",
    },
    signOut: "Abmelden",
    signOutEverywhere: "Überall abmelden",
    signedOut: { title: "Sie sind abgemeldet", text: "Sie können dieses Fenster schließen.", signIn: "Anmelden" },
    notSignedIn: "Sie sind nicht angemeldet",
    noCookies: {
      title: "Ihr Browser blockiert Cookies",
      text: "Bitte erlauben Sie Cookies für diese Website und öffnen Sie die Seite noch einmal.",
    },
    stale: "Die Seite war nicht mehr aktuell, deshalb wurde nichts geändert. Bitte versuchen Sie es noch einmal.",
    onlyWay: "Das ist Ihre einzige Anmeldemöglichkeit. Fügen Sie eine andere hinzu, bevor Sie diese entfernen.",
  },
  fr: {
    title: "Votre compte",
    name: "Nom",
    userName: "Nom d’utilisateur",
    email: "Adresse e\u2011mail",
    phone: "Numéro de téléphone",
    org: "Organisation",
    password: {
      title: "Mot de passe",
      change: "Modifier le mot de passe",
      text: "Toutes vos autres sessions seront fermées.",
      current: "Mot de passe actuel",
      submit: "Modifier le mot de passe",
      wrong: "Ce n’est pas votre mot de passe actuel.",
      back: "Retour à votre compte",
      changed: { title: "Mot de passe modifié", text: "Toutes vos autres sessions ont été fermées." },
    },
    passkeys: {
      title: "Clés d’accès",
      none: "Ce compte n’a pas de clé d’accès.",
      since: (date) => `Clé d’accès du ${date}`,
      add: "Ajouter une clé d’accès",
      remove: "Supprimer",
      hint: "Lorsque vous supprimez une clé d’accès ou un compte lié, toutes vos autres sessions sont fermées.",
    },
    idps: { title: "Comptes liés", remove: "Supprimer" },
    sessions: {
      title: "Où vous êtes connecté",
      since: (time) => `Depuis le ${time}`,
      here: "Ce navigateur",
      end: "Déconnecter",
    },
    signOut: "Se déconnecter",
    signOutEverywhere: "Se déconnecter partout",
    signedOut: {
      title: "Vous êtes déconnecté",
      text: "Vous pouvez fermer cette fenêtre.",
      signIn: "Se connecter",
    },
    notSignedIn: "Vous n’êtes pas connecté",
    noCookies: {
      title: "Votre navigateur bloque les cookies",
      text: "Veuillez autoriser les cookies de ce site, puis ouvrir de nouveau la page.",
    },
    stale: "La page n’était plus à jour\u202f; rien n’a été modifié. Veuillez réessayer.",
    onlyWay: "C’est votre seul moyen de vous connecter. Ajoutez-en un autre avant de le supprimer.",
  },
  es: {
    title: "Su cuenta",
    name: "Nombre",
    userName: "Nombre de usuario",
    email: "Dirección de correo electrónico",
    phone: "Número de teléfono",
    org: "Organización",
    password: {
      title: "Contraseña",
      change: "Cambiar la contraseña",
      text: "Se cerrarán todas sus demás sesiones.",
      current: "Contraseña actual",
      submit: "Cambiar la contraseña",
      wrong: "Esta no es su contraseña actual.",
      back: "Volver a su cuenta",
      changed: { title: "Se ha cambiado la contraseña", text: "Se han cerrado todas sus demás sesiones." },
    },
    passkeys: {
      title: "Llaves de acceso",
      none: "Esta cuenta no tiene llaves de acceso.",
      since: (date) => `Llave de acceso del ${date}`,
      add: "Añadir una llave de acceso",
      remove: "Quitar",
      hint: "Al quitar una llave de acceso o una cuenta vinculada, se cierran todas sus demás sesiones.",
    },
    idps: { title: "Cuentas vinculadas", remove: "Quitar" },
    sessions: {
      title: "Dónde ha iniciado sesión",
      since: (time) => `Desde el ${time}`,
      here: "Este navegador",
      end: "Cerrar sesión",
    },
    signOut: "Cerrar sesión",
    signOutEverywhere: "Cerrar sesión en todas partes",
    signedOut: {
      title: "Ha cerrado la sesión",
      text: "Puede cerrar esta ventana.",
      signIn: "Iniciar sesión",
    },
    notSignedIn: "No ha iniciado sesión",
    noCookies: {
      title: "Su navegador bloquea las cookies",
      text: "Permita las cookies de este sitio y abra la página de nuevo.",
    },
    stale: "La página no estaba actualizada, por lo que no se ha realizado ningún cambio. Vuelva a intentarlo.",
    onlyWay: "Es su única forma de iniciar sesión. Añada otra antes de quitarla.",
  },
};
