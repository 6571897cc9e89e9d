import type { Language } from "../../messages/languages.ts";

interface LogoutTexts {
  readonly ask: {
    readonly title: string;
    readonly text: string;
    readonly textFor: (app: string) => string;
  };
  readonly signOut: string;
  readonly stay: string;
  readonly done: { readonly title: string; readonly text: string };
}

export const LOGOUT_TEXTS: Readonly<Record<Language, LogoutTexts>> = {
  en: {
    ask: {
      title: "Do you want to sign out?",
      text: "You will be signed out of all applications in this browser.",
      textFor: (app) => `${app} is asking you to sign out. You will be signed out of all applications in this browser.`,
    },
    signOut: "Sign out",
    stay: "Stay signed in",
    done: { title: "You are signed out", text: "You can close this page." },
  },
  de: {
    ask: {
      title: "Möchten Sie sich abmelden?",
      text: "Sie werden in diesem Browser von allen Anwendungen abgemeldet.",
      textFor: (app) => `${app} möchte Sie abmelden. Sie werden in diesem Browser von allen Anwendungen abgemeldet.`,
    },
    signOut: "Abmelden",
    stay: "Angemeldet bleiben",
    done: { title: "Sie sind abgemeldet", text: "Sie können diese Seite schließen." },
  },
  fr: {
    ask: {
      title: "Voulez-vous vous déconnecter\u202f?",
      text: "Vous serez déconnecté de toutes les applications dans ce navigateur.",
      textFor: (app) =>
        `${app} demande votre déconnexion. Vous serez déconnecté de toutes les applications dans ce navigateur.`,
    },
    signOut: "Se déconnecter",
    stay: "Rester connecté",
    done: { title: "Vous êtes déconnecté", text: "Vous pouvez fermer cette page." },
  },
  es: {
    ask: {
      title: "¿Quiere cerrar la sesión?",
      text: "Se cerrará la sesión en todas las aplicaciones de este navegador.",
      textFor: (app) =>
        `${app} solicita que cierre la sesión. Se cerrará la sesión en todas las aplicaciones de este navegador.`,
    },
    signOut: "Cerrar sesión",
    stay: "Mantener la sesión iniciada",
    done: { title: "Ha cerrado la sesión", text: "Puede cerrar esta página." },
  },
};
