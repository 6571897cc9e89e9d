import type { Language } from "../../../messages/languages.ts";

export interface PasskeySignInTexts {
  readonly submit: string;
  /** What the script of the page shows. */
  readonly outcomes: Readonly<Record<"waiting" | "canceled" | "otherHost" | "failed", string>>;
  /** For every reason that must not be revealed. */
  readonly refused: string;
}

export const PASSKEY_SIGN_IN_TEXTS: Readonly<Record<Language, PasskeySignInTexts>> = {
  en: {
    submit: "Sign in with a passkey",
    outcomes: {
      waiting: "Follow the instructions in your browser.",
      canceled: "The sign-in was canceled, or this device has no passkey for this site.",
      otherHost: "Passkeys do not work at this address.",
      failed: "Your device could not use a passkey. Please try again, or sign in another way.",
    },
    refused: "This passkey was not accepted. Please try again, or sign in another way.",
  },
  de: {
    submit: "Mit Passkey anmelden",
    outcomes: {
      waiting: "Folgen Sie den Anweisungen in Ihrem Browser.",
      canceled: "Die Anmeldung wurde abgebrochen, oder auf diesem Gerät gibt es keinen Passkey für diese Website.",
      otherHost: "Unter dieser Adresse funktionieren Passkeys nicht.",
      failed:
        "Ihr Gerät konnte keinen Passkey verwenden. Bitte versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
    },
    refused:
      "Dieser Passkey wurde nicht akzeptiert. Bitte versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.",
  },
  fr: {
    submit: "Se connecter avec une clé d’accès",
    outcomes: {
      waiting: "Suivez les instructions de votre navigateur.",
      canceled: "La connexion a été annulée, ou cet appareil n’a pas de clé d’accès pour ce site.",
      otherHost: "Les clés d’accès ne fonctionnent pas à cette adresse.",
      failed:
        "Votre appareil n’a pas pu utiliser de clé d’accès. Veuillez réessayer ou vous connecter d’une autre manière.",
    },
    refused: "Cette clé d’accès n’a pas été acceptée. Veuillez réessayer ou vous connecter d’une autre manière.",
  },
  es: {
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
};
