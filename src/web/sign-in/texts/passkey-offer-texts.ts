import type { Language } from "../../../messages/languages.ts";
import type { TitledText } from "../../links/texts/link-texts.ts";

export interface PasskeyOfferTexts extends TitledText {
  readonly add: string;
  /** Also means not to be asked again. */
  readonly later: string;
  /** Continues without a passkey. */
  readonly without: string;
}

export const PASSKEY_OFFER_TEXTS: Readonly<Record<Language, PasskeyOfferTexts>> = {
  en: {
    title: "Sign in faster next time?",
    text: "With a passkey, you sign in with your fingerprint, your face or your device PIN instead of a password. You can also add one later on your account page.",
    add: "Add a passkey",
    later: "Not now",
    without: "Continue without a passkey",
  },
  de: {
    title: "Beim nächsten Mal schneller anmelden?",
    text: "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesichtserkennung oder Geräte-PIN statt mit einem Passwort an. Sie können auch später auf Ihrer Kontoseite einen Passkey hinzufügen.",
    add: "Passkey hinzufügen",
    later: "Jetzt nicht",
    without: "Ohne Passkey fortfahren",
  },
  fr: {
    title: "Se connecter plus vite la prochaine fois\u202f?",
    text: "Avec une clé d’accès, vous vous connectez avec votre empreinte digitale, votre visage ou le code PIN de votre appareil, sans mot de passe. Vous pourrez aussi en ajouter une plus tard sur la page de votre compte.",
    add: "Ajouter une clé d’accès",
    later: "Pas maintenant",
    without: "Continuer sans clé d’accès",
  },
  es: {
    title: "¿Iniciar sesión más rápido la próxima vez?",
    text: "Con una llave de acceso puede iniciar sesión con su huella digital, su cara o el PIN de su dispositivo, sin contraseña. También puede añadir una más tarde en la página de su cuenta.",
    add: "Añadir una llave de acceso",
    later: "Ahora no",
    without: "Continuar sin llave de acceso",
  },
};
