import type { Language } from "../../../messages/languages.ts";

/** The texts about signing in with an identity provider. `name` is the provider's name. */
export interface IdpTexts {
  /** Between the ways to sign in. */
  readonly or: string;
  readonly button: (name: string) => string;
  /** Prescribed by Google's branding guidelines. */
  readonly google: string;
  readonly errors: {
    /** The user declined at the provider. */
    readonly denied: (name: string) => string;
    /** The attempt is unknown, was used, or has expired. */
    readonly over: string;
    /** The provider was deactivated or removed. */
    readonly gone: string;
    /** The user may not sign in. */
    readonly blocked: string;
  };
  readonly failed: {
    readonly title: (name: string) => string;
    readonly text: (name: string) => string;
    readonly back: string;
  };
  /** For an external user who is not linked. */
  readonly unknown: {
    readonly title: string;
    readonly text: (name: string, org: string) => string;
    readonly link: string;
    readonly linkHint: string;
    readonly register: string;
  };
  readonly register: {
    readonly title: string;
    readonly text: (name: string) => string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly submit: string;
    readonly taken: string;
    readonly invalid: string;
  };
  /** Above the form of the sign-in page. */
  readonly linkNotice: (name: string) => string;
  readonly confirm: {
    readonly title: (name: string) => string;
    readonly text: (name: string) => string;
    readonly external: string;
    readonly submit: string;
    readonly skip: string;
    readonly failed: string;
  };
}

export const IDP_TEXTS: Readonly<Record<Language, IdpTexts>> = {
  en: {
    or: "or",
    button: (name) => `Sign in with ${name}`,
    google: "Sign in with Google",
    errors: {
      denied: (name) => `The sign-in with ${name} was canceled or declined.`,
      over: "The sign-in with the other service took too long, or was started again. Please try again.",
      gone: "This service can no longer be used to sign in.",
      blocked: "You cannot sign in with this account.",
    },
    failed: {
      title: (name) => `The sign-in with ${name} failed`,
      text: (name) =>
        `${name} cannot be reached, or its response could not be verified. Please try again later, or try another way to sign in.`,
      back: "Back to the sign-in",
    },
    unknown: {
      title: "Account not linked yet",
      text: (name, org) => `Your account at ${name} is not linked to an account at ${org} yet.`,
      link: "I have an account",
      linkHint: "If you have an account, sign in to it once. After that, you can sign in either way.",
      register: "Create a new account",
    },
    register: {
      title: "Create your account",
      text: (name) => `Please check the information from ${name}.`,
      firstName: "First name",
      lastName: "Last name",
      email: "Email address",
      submit: "Create the account",
      taken: "This user name is taken. Please choose another one.",
      invalid: "This value is missing or invalid.",
    },
    linkNotice: (name) => `Sign in to the account that you want to link to your account at ${name}.`,
    confirm: {
      title: (name) => `Link your account at ${name}?`,
      text: (name) => `From now on, your account at ${name} can be used to sign in here.`,
      external: "Other account",
      submit: "Link the accounts",
      skip: "Continue without linking",
      failed: "The accounts could not be linked. Please try again, or continue without linking.",
    },
  },
  de: {
    or: "oder",
    button: (name) => `Mit ${name} anmelden`,
    google: "Über Google anmelden",
    errors: {
      denied: (name) => `Die Anmeldung mit ${name} wurde abgebrochen oder abgelehnt.`,
      over: "Die Anmeldung mit dem anderen Dienst hat zu lange gedauert oder wurde neu begonnen. Bitte versuchen Sie es noch einmal.",
      gone: "Mit diesem Dienst können Sie sich nicht mehr anmelden.",
      blocked: "Mit diesem Konto können Sie sich nicht anmelden.",
    },
    failed: {
      title: (name) => `Die Anmeldung mit ${name} ist fehlgeschlagen`,
      text: (name) =>
        `${name} ist nicht erreichbar, oder die Antwort konnte nicht überprüft werden. Bitte versuchen Sie es später noch einmal oder melden Sie sich auf andere Weise an.`,
      back: "Zurück zur Anmeldung",
    },
    unknown: {
      title: "Konto noch nicht verknüpft",
      text: (name, org) => `Ihr Konto bei ${name} ist noch nicht mit einem Konto bei ${org} verknüpft.`,
      link: "Ich habe bereits ein Konto",
      linkHint:
        "Wenn Sie bereits ein Konto haben, melden Sie sich einmal damit an. Danach können Sie sich auf beide Arten anmelden.",
      register: "Neues Konto erstellen",
    },
    register: {
      title: "Erstellen Sie Ihr Konto",
      text: (name) => `Bitte prüfen Sie die Angaben von ${name}.`,
      firstName: "Vorname",
      lastName: "Nachname",
      email: "E\u2011Mail-Adresse",
      submit: "Konto erstellen",
      taken: "Dieser Benutzername ist bereits vergeben. Bitte wählen Sie einen anderen.",
      invalid: "Diese Angabe fehlt oder ist ungültig.",
    },
    linkNotice: (name) => `Melden Sie sich bei dem Konto an, das Sie mit Ihrem Konto bei ${name} verknüpfen möchten.`,
    confirm: {
      title: (name) => `Ihr Konto bei ${name} verknüpfen?`,
      text: (name) => `Danach können Sie sich hier auch mit Ihrem Konto bei ${name} anmelden.`,
      external: "Anderes Konto",
      submit: "Konten verknüpfen",
      skip: "Ohne Verknüpfung fortfahren",
      failed:
        "Die Konten konnten nicht verknüpft werden. Bitte versuchen Sie es noch einmal oder fahren Sie ohne Verknüpfung fort.",
    },
  },
  fr: {
    or: "ou",
    button: (name) => `Se connecter avec ${name}`,
    google: "Se connecter avec Google",
    errors: {
      denied: (name) => `La connexion avec ${name} a été annulée ou refusée.`,
      over: "La connexion avec l’autre service a pris trop de temps ou a été recommencée. Veuillez réessayer.",
      gone: "Ce service ne permet plus de se connecter.",
      blocked: "Vous ne pouvez pas vous connecter avec ce compte.",
    },
    failed: {
      title: (name) => `La connexion avec ${name} a échoué`,
      text: (name) =>
        `${name} est injoignable, ou sa réponse n’a pas pu être vérifiée. Veuillez réessayer plus tard ou vous connecter d’une autre manière.`,
      back: "Retour à la connexion",
    },
    unknown: {
      title: "Compte pas encore lié",
      text: (name, org) => `Votre compte chez ${name} n’est pas encore lié à un compte chez ${org}.`,
      link: "J’ai déjà un compte",
      linkHint:
        "Si vous avez déjà un compte, connectez-vous une fois avec celui-ci. Vous pourrez ensuite vous connecter des deux manières.",
      register: "Créer un nouveau compte",
    },
    register: {
      title: "Créez votre compte",
      text: (name) => `Veuillez vérifier les informations fournies par ${name}.`,
      firstName: "Prénom",
      lastName: "Nom",
      email: "Adresse e\u2011mail",
      submit: "Créer le compte",
      taken: "Ce nom d’utilisateur est déjà utilisé. Veuillez en choisir un autre.",
      invalid: "Cette information est manquante ou n’est pas valide.",
    },
    linkNotice: (name) => `Connectez-vous au compte que vous souhaitez lier à votre compte chez ${name}.`,
    confirm: {
      title: (name) => `Lier votre compte chez ${name}\u202f?`,
      text: (name) => `Vous pourrez désormais vous connecter ici avec votre compte chez ${name}.`,
      external: "Autre compte",
      submit: "Lier les comptes",
      skip: "Continuer sans lier",
      failed: "Les comptes n’ont pas pu être liés. Veuillez réessayer ou continuer sans lier.",
    },
  },
  es: {
    or: "o",
    button: (name) => `Iniciar sesión con ${name}`,
    google: "Iniciar sesión con Google",
    errors: {
      denied: (name) => `El inicio de sesión con ${name} se ha cancelado o rechazado.`,
      over: "El inicio de sesión con el otro servicio ha tardado demasiado o se ha empezado de nuevo. Vuelva a intentarlo.",
      gone: "Este servicio ya no se puede usar para iniciar sesión.",
      blocked: "No puede iniciar sesión con esta cuenta.",
    },
    failed: {
      title: (name) => `El inicio de sesión con ${name} ha fallado`,
      text: (name) =>
        `No se ha podido acceder a ${name} o no se ha podido verificar su respuesta. Vuelva a intentarlo más tarde o inicie sesión de otra forma.`,
      back: "Volver al inicio de sesión",
    },
    unknown: {
      title: "Cuenta todavía no vinculada",
      text: (name, org) => `Su cuenta de ${name} todavía no está vinculada a una cuenta de ${org}.`,
      link: "Ya tengo una cuenta",
      linkHint:
        "Si ya tiene una cuenta, inicie sesión en ella una vez. Después podrá iniciar sesión de las dos formas.",
      register: "Crear una cuenta nueva",
    },
    register: {
      title: "Cree su cuenta",
      text: (name) => `Compruebe los datos facilitados por ${name}.`,
      firstName: "Nombre",
      lastName: "Apellidos",
      email: "Dirección de correo electrónico",
      submit: "Crear la cuenta",
      taken: "Este nombre de usuario ya está en uso. Elija otro.",
      invalid: "Este dato falta o no es válido.",
    },
    linkNotice: (name) => `Inicie sesión en la cuenta que quiere vincular a su cuenta de ${name}.`,
    confirm: {
      title: (name) => `¿Vincular su cuenta de ${name}?`,
      text: (name) => `A partir de ahora podrá iniciar sesión aquí con su cuenta de ${name}.`,
      external: "Otra cuenta",
      submit: "Vincular las cuentas",
      skip: "Continuar sin vincular",
      failed: "No se han podido vincular las cuentas. Vuelva a intentarlo o continúe sin vincular.",
    },
  },
};
