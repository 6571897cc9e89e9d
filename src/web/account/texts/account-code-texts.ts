import type { Language } from "../../../messages/languages.ts";
import type { TitledText } from "../../links/texts/link-texts.ts";

/** The texts of the account page about one-time codes. */
export interface AccountCodeTexts {
  readonly title: string;
  readonly none: string;
  readonly setUpLink: string;
  /** Takes the number of remaining recovery codes. */
  readonly active: (left: number) => string;
  readonly newCodes: string;
  readonly removeLink: string;
  readonly setUp: TitledText & {
    /** The name of the QR code for screen readers. */
    readonly picture: string;
    readonly byHand: string;
    readonly submit: string;
  };
  readonly codes: TitledText;
  readonly remove: TitledText & {
    readonly textWithPassword: string;
    readonly or: string;
    readonly code: string;
    readonly submit: string;
  };
}

export const ACCOUNT_CODE_TEXTS: Readonly<Record<Language, AccountCodeTexts>> = {
  en: {
    title: "One-time codes",
    none: "With an authenticator app, signing in requires a code in addition to the password.",
    setUpLink: "Set up one-time codes",
    active: (left) => `One-time codes are set up. Recovery codes left: ${left}.`,
    newCodes: "Create new recovery codes",
    removeLink: "Remove one-time codes",
    setUp: {
      title: "Set up one-time codes",
      text: "Scan the QR code with your authenticator app, then enter the code that the app shows.",
      picture: "QR code for your authenticator app",
      byHand: "Enter the setup key manually",
      submit: "Set up",
    },
    codes: {
      title: "Save your recovery codes",
      text: "You can use each of them once instead of a one-time code, for example if you lose your phone. Keep them in a safe place: they are shown only once. Earlier recovery codes no longer work.",
    },
    remove: {
      title: "Remove one-time codes",
      text: "Enter a one-time code or a recovery code. You will be signed out everywhere else.",
      textWithPassword:
        "Enter your password, a one-time code or a recovery code. You will be signed out everywhere else.",
      or: "or",
      code: "One-time code or recovery code",
      submit: "Remove",
    },
  },
  de: {
    title: "Einmalcodes",
    none: "Mit einer Authenticator-App ist zum Anmelden neben dem Passwort auch ein Code erforderlich.",
    setUpLink: "Einmalcodes einrichten",
    active: (left) => `Einmalcodes sind eingerichtet. Verbleibende Wiederherstellungscodes: ${left}.`,
    newCodes: "Neue Wiederherstellungscodes erstellen",
    removeLink: "Einmalcodes entfernen",
    setUp: {
      title: "Einmalcodes einrichten",
      text: "Scannen Sie den QR-Code mit Ihrer Authenticator-App und geben Sie dann den Code ein, den die App anzeigt.",
      picture: "QR-Code für Ihre Authenticator-App",
      byHand: "Einrichtungsschlüssel manuell eingeben",
      submit: "Einrichten",
    },
    codes: {
      title: "Speichern Sie Ihre Wiederherstellungscodes",
      text: "Sie können jeden davon einmal anstelle eines Einmalcodes verwenden, zum Beispiel wenn Sie Ihr Smartphone verloren haben. Bewahren Sie die Codes sicher auf: Sie werden nur einmal angezeigt. Frühere Wiederherstellungscodes funktionieren nicht mehr.",
    },
    remove: {
      title: "Einmalcodes entfernen",
      text: "Geben Sie einen Einmalcode oder einen Wiederherstellungscode ein. Alle Ihre anderen Sitzungen werden beendet.",
      textWithPassword:
        "Geben Sie Ihr Passwort, einen Einmalcode oder einen Wiederherstellungscode ein. Alle Ihre anderen Sitzungen werden beendet.",
      or: "oder",
      code: "Einmalcode oder Wiederherstellungscode",
      submit: "Entfernen",
    },
  },
  fr: {
    title: "Codes à usage unique",
    none: "Avec une application d’authentification, la connexion nécessite un code en plus du mot de passe.",
    setUpLink: "Configurer les codes à usage unique",
    active: (left) => `Les codes à usage unique sont configurés. Codes de secours restants\u00a0: ${left}.`,
    newCodes: "Créer de nouveaux codes de secours",
    removeLink: "Supprimer les codes à usage unique",
    setUp: {
      title: "Configurer les codes à usage unique",
      text: "Scannez le code QR avec votre application d’authentification, puis saisissez le code qu’elle affiche.",
      picture: "Code QR pour votre application d’authentification",
      byHand: "Saisir la clé de configuration manuellement",
      submit: "Configurer",
    },
    codes: {
      title: "Enregistrez vos codes de secours",
      text: "Vous pouvez utiliser chacun d’eux une fois à la place d’un code à usage unique, par exemple si vous perdez votre téléphone. Gardez-les en lieu sûr\u00a0: ils ne s’affichent qu’une seule fois. Les codes de secours précédents ne fonctionnent plus.",
    },
    remove: {
      title: "Supprimer les codes à usage unique",
      text: "Saisissez un code à usage unique ou un code de secours. Toutes vos autres sessions seront fermées.",
      textWithPassword:
        "Saisissez votre mot de passe, un code à usage unique ou un code de secours. Toutes vos autres sessions seront fermées.",
      or: "ou",
      code: "Code à usage unique ou code de secours",
      submit: "Supprimer",
    },
  },
  es: {
    title: "Códigos de un solo uso",
    none: "Con una aplicación de autenticación, para iniciar sesión se necesita un código además de la contraseña.",
    setUpLink: "Configurar los códigos de un solo uso",
    active: (left) => `Los códigos de un solo uso están configurados. Códigos de recuperación restantes: ${left}.`,
    newCodes: "Crear códigos de recuperación nuevos",
    removeLink: "Quitar los códigos de un solo uso",
    setUp: {
      title: "Configurar los códigos de un solo uso",
      text: "Escanee el código QR con su aplicación de autenticación e introduzca después el código que muestra la aplicación.",
      picture: "Código QR para su aplicación de autenticación",
      byHand: "Introducir la clave de configuración manualmente",
      submit: "Configurar",
    },
    codes: {
      title: "Guarde sus códigos de recuperación",
      text: "Puede usar cada uno una vez en lugar de un código de un solo uso, por ejemplo si pierde el teléfono. Guárdelos en un lugar seguro: solo se muestran una vez. Los códigos de recuperación anteriores ya no funcionan.",
    },
    remove: {
      title: "Quitar los códigos de un solo uso",
      text: "Introduzca un código de un solo uso o un código de recuperación. Se cerrarán todas sus demás sesiones.",
      textWithPassword:
        "Introduzca su contraseña, un código de un solo uso o un código de recuperación. Se cerrarán todas sus demás sesiones.",
      or: "o",
      code: "Código de un solo uso o código de recuperación",
      submit: "Quitar",
    },
  },
};
