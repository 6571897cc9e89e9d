import type { Language } from "../../../messages/languages.ts";

/** The texts of the fields for a one-time code and a recovery code, and of the page of a sign-in that asks for one. */
export interface OneTimeCodeTexts {
  readonly title: string;
  readonly text: string;
  readonly code: string;
  readonly submit: string;
  readonly recovery: {
    /** Opens the form. */
    readonly open: string;
    readonly code: string;
    readonly hint: string;
  };
  /** For every reason: wrong, already used, or not this user's code. */
  readonly wrong: string;
}

export const ONE_TIME_CODE_TEXTS: Readonly<Record<Language, OneTimeCodeTexts>> = {
  en: {
    title: "Enter your one-time code",
    text: "Open your authenticator app, and enter the code that it shows for this account.",
    code: "One-time code",
    submit: "Continue",
    recovery: {
      open: "Use a recovery code",
      code: "Recovery code",
      hint: "One of the codes that you saved when you set up one-time codes. Each works once.",
    },
    wrong: "This code is incorrect or has already been used. Please wait for the next one.",
  },
  de: {
    title: "Geben Sie Ihren Einmalcode ein",
    text: "Öffnen Sie Ihre Authenticator-App und geben Sie den Code ein, den sie für dieses Konto anzeigt.",
    code: "Einmalcode",
    submit: "Weiter",
    recovery: {
      open: "Wiederherstellungscode verwenden",
      code: "Wiederherstellungscode",
      hint: "Einer der Codes, die Sie beim Einrichten der Einmalcodes gespeichert haben. Jeder Code funktioniert nur einmal.",
    },
    wrong: "Dieser Code ist falsch oder wurde bereits verwendet. Bitte warten Sie auf den nächsten.",
  },
  fr: {
    title: "Saisissez votre code à usage unique",
    text: "Ouvrez votre application d’authentification et saisissez le code qu’elle affiche pour ce compte.",
    code: "Code à usage unique",
    submit: "Continuer",
    recovery: {
      open: "Utiliser un code de secours",
      code: "Code de secours",
      hint: "L’un des codes que vous avez enregistrés en configurant les codes à usage unique. Chaque code ne fonctionne qu’une seule fois.",
    },
    wrong: "Ce code est incorrect ou a déjà été utilisé. Veuillez attendre le suivant.",
  },
  es: {
    title: "Introduzca su código de un solo uso",
    text: "Abra su aplicación de autenticación e introduzca el código que muestra para esta cuenta.",
    code: "Código de un solo uso",
    submit: "Continuar",
    recovery: {
      open: "Usar un código de recuperación",
      code: "Código de recuperación",
      hint: "Uno de los códigos que guardó al configurar los códigos de un solo uso. Cada código funciona una sola vez.",
    },
    wrong: "Este código no es correcto o ya se ha usado. Espere a que aparezca el siguiente.",
  },
};
