import type { Language } from "../languages.ts";

/**
 * The texts of the messages. SMS texts use only characters of the GSM 7-bit alphabet (3GPP TS 23.038): any other, such
 * as the Spanish ó, reduces the length of one SMS from 160 characters to 70.
 */
export interface Texts {
  readonly email: {
    readonly greeting: string;
    readonly greetingByName: (name: string) => string;
    /** What happened, and where. */
    readonly occasion: (host: string) => string;
    /** The same, for a new address. */
    readonly changed: (host: string) => string;
    /** The address is not verified. */
    readonly confirm: Request;
    /** The address is verified, so only a password is missing. */
    readonly setPassword: Request;
    /** A new address is not verified. */
    readonly confirmNew: Request;
    readonly userName: (userName: string) => string;
    /** Precedes the link in the text form, which has no button. */
    readonly openLink: string;
    /** Precedes the link in the HTML form, below the button. */
    readonly copyLink: string;
    readonly validity: (hours: number) => string;
    readonly sentTo: (address: string) => string;
    readonly unexpected: string;
  };
  /** The email with a link to set a new password. It also has the greeting and the text after the link from `email`. */
  readonly passwordReset: Request & {
    readonly occasion: (host: string) => string;
    readonly validity: string;
  };
  /** The email that reports a changed password. */
  readonly passwordChanged: {
    readonly subject: string;
    readonly occasion: (host: string) => string;
    readonly request: string;
    readonly unexpected: string;
  };
  readonly sms: (digits: string) => string;
  /** Precedes the link to set a new password. */
  readonly resetSms: string;
}

/** The parts of an email that depend on the requested action. */
interface Request {
  readonly subject: string;
  readonly request: string;
  readonly button: string;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    email: {
      greeting: "Hello,",
      greetingByName: (name) => `Hello ${name},`,
      occasion: (host) => `An account has been created for you at ${host}.`,
      changed: (host) => `This address was entered for your account at ${host}.`,
      confirm: {
        subject: "Confirm your email address",
        request:
          "Please confirm that this is your email address. If you do not have a password yet, you can set one on the same page.",
        button: "Confirm email address",
      },
      setPassword: {
        subject: "Set your password",
        request: "You can now set a password for it.",
        button: "Set password",
      },
      confirmNew: {
        subject: "Confirm your new email address",
        request: "Please confirm that it is yours.",
        button: "Confirm email address",
      },
      userName: (userName) => `Your user name: ${userName}`,
      openLink: "To do so, open this link:",
      copyLink: "If the button does not work, copy this address into your browser:",
      validity: (hours) => `The link is valid for ${hours} hours from the time this email was sent.`,
      sentTo: (address) => `This email was sent to ${address}.`,
      unexpected: "Didn’t expect this email? Then you can simply ignore it.",
    },
    passwordReset: {
      subject: "Choose a new password",
      occasion: (host) => `A new password was requested for your account at ${host}.`,
      request: "You can now choose one. Until then, your current password stays valid.",
      button: "Choose a new password",
      validity: "The link is valid for one hour from the time this email was sent.",
    },
    passwordChanged: {
      subject: "Your password was changed",
      occasion: (host) => `The password of your account at ${host} was changed.`,
      request: "If you changed it yourself, you do not need to do anything.",
      unexpected: "Didn’t change it? Please contact your administrator immediately.",
    },
    sms: (digits) => `Your code: ${digits}, valid 1 hour`,
    resetSms: "Choose a new password within 1 hour:",
  },
  de: {
    email: {
      greeting: "Guten Tag,",
      greetingByName: (name) => `Guten Tag ${name},`,
      occasion: (host) => `für Sie wurde ein Konto bei ${host} erstellt.`,
      changed: (host) => `diese Adresse wurde für Ihr Konto bei ${host} eingetragen.`,
      confirm: {
        subject: "Bestätigen Sie Ihre E-Mail-Adresse",
        request:
          "Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist. Wenn Sie noch kein Passwort haben, können Sie auf derselben Seite eines festlegen.",
        button: "E-Mail-Adresse bestätigen",
      },
      setPassword: {
        subject: "Legen Sie Ihr Passwort fest",
        request: "Sie können jetzt ein Passwort dafür festlegen.",
        button: "Passwort festlegen",
      },
      confirmNew: {
        subject: "Bestätigen Sie Ihre neue E-Mail-Adresse",
        request: "Bitte bestätigen Sie, dass sie Ihnen gehört.",
        button: "E-Mail-Adresse bestätigen",
      },
      userName: (userName) => `Ihr Benutzername: ${userName}`,
      openLink: "Öffnen Sie dazu diesen Link:",
      copyLink: "Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
      validity: (hours) => `Der Link ist ab dem Versand dieser E-Mail ${hours} Stunden lang gültig.`,
      sentTo: (address) => `Diese E-Mail wurde an ${address} gesendet.`,
      unexpected: "Sie haben diese E-Mail nicht erwartet? Dann können Sie sie einfach ignorieren.",
    },
    passwordReset: {
      subject: "Wählen Sie ein neues Passwort",
      occasion: (host) => `für Ihr Konto bei ${host} wurde ein neues Passwort angefordert.`,
      request: "Sie können jetzt eines wählen. Bis dahin bleibt Ihr aktuelles Passwort gültig.",
      button: "Neues Passwort wählen",
      validity: "Der Link ist ab dem Versand dieser E-Mail eine Stunde lang gültig.",
    },
    passwordChanged: {
      subject: "Ihr Passwort wurde geändert",
      occasion: (host) => `das Passwort Ihres Kontos bei ${host} wurde geändert.`,
      request: "Wenn Sie es selbst geändert haben, müssen Sie nichts weiter tun.",
      unexpected: "Sie haben es nicht geändert? Dann wenden Sie sich bitte sofort an Ihren Administrator.",
    },
    sms: (digits) => `Ihr Code: ${digits}, 1 Stunde gültig`,
    resetSms: "Neues Passwort innerhalb von 1 Stunde wählen:",
  },
  fr: {
    email: {
      greeting: "Bonjour,",
      greetingByName: (name) => `Bonjour ${name},`,
      occasion: (host) => `Un compte a été créé pour vous sur ${host}.`,
      changed: (host) => `Cette adresse a été enregistrée pour votre compte sur ${host}.`,
      confirm: {
        subject: "Confirmez votre adresse e-mail",
        request:
          "Veuillez confirmer que cette adresse e-mail est bien la vôtre. Si vous n’avez pas encore de mot de passe, vous pourrez en définir un sur la même page.",
        button: "Confirmer l’adresse e-mail",
      },
      setPassword: {
        subject: "Définissez votre mot de passe",
        request: "Vous pouvez maintenant définir un mot de passe pour ce compte.",
        button: "Définir le mot de passe",
      },
      confirmNew: {
        subject: "Confirmez votre nouvelle adresse e-mail",
        request: "Veuillez confirmer qu’elle est bien la vôtre.",
        button: "Confirmer l’adresse e-mail",
      },
      userName: (userName) => `Votre nom d’utilisateur\u00a0: ${userName}`,
      openLink: "Pour cela, ouvrez ce lien\u00a0:",
      copyLink: "Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:",
      validity: (hours) => `Ce lien est valable ${hours} heures à compter de l’envoi de cet e-mail.`,
      sentTo: (address) => `Cet e-mail a été envoyé à ${address}.`,
      unexpected: "Vous n’attendiez pas cet e-mail\u202f? Vous pouvez simplement l’ignorer.",
    },
    passwordReset: {
      subject: "Choisissez un nouveau mot de passe",
      occasion: (host) => `Un nouveau mot de passe a été demandé pour votre compte sur ${host}.`,
      request: "Vous pouvez maintenant en choisir un. D’ici là, votre mot de passe actuel reste valable.",
      button: "Choisir un nouveau mot de passe",
      validity: "Ce lien est valable une heure à compter de l’envoi de cet e-mail.",
    },
    passwordChanged: {
      subject: "Votre mot de passe a été modifié",
      occasion: (host) => `Le mot de passe de votre compte sur ${host} a été modifié.`,
      request: "Si vous l’avez modifié vous-même, vous n’avez rien d’autre à faire.",
      unexpected: "Vous ne l’avez pas modifié\u202f? Contactez immédiatement votre administrateur.",
    },
    sms: (digits) => `Votre code : ${digits}, valable 1 heure`,
    resetSms: "Choisissez un nouveau mot de passe sous 1 heure :",
  },
  es: {
    email: {
      greeting: "Hola:",
      greetingByName: (name) => `Hola, ${name}:`,
      occasion: (host) => `Se ha creado una cuenta para usted en ${host}.`,
      changed: (host) => `Se ha registrado esta dirección para su cuenta en ${host}.`,
      confirm: {
        subject: "Confirme su dirección de correo electrónico",
        request:
          "Confirme que esta es su dirección de correo electrónico. Si todavía no tiene contraseña, podrá establecer una en la misma página.",
        button: "Confirmar la dirección",
      },
      setPassword: {
        subject: "Establezca su contraseña",
        request: "Ya puede establecer una contraseña para ella.",
        button: "Establecer la contraseña",
      },
      confirmNew: {
        subject: "Confirme su nueva dirección de correo electrónico",
        request: "Confirme que es suya.",
        button: "Confirmar la dirección",
      },
      userName: (userName) => `Su nombre de usuario: ${userName}`,
      openLink: "Para ello, abra este enlace:",
      copyLink: "Si el botón no funciona, copie esta dirección en su navegador:",
      validity: (hours) => `El enlace es válido durante ${hours} horas desde el envío de este correo.`,
      sentTo: (address) => `Este correo se envió a ${address}.`,
      unexpected: "¿No esperaba este correo? En ese caso, puede ignorarlo sin más.",
    },
    passwordReset: {
      subject: "Elija una contraseña nueva",
      occasion: (host) => `Se ha solicitado una contraseña nueva para su cuenta en ${host}.`,
      request: "Ya puede elegir una. Hasta entonces, su contraseña actual sigue siendo válida.",
      button: "Elegir una contraseña nueva",
      validity: "El enlace es válido durante una hora desde el envío de este correo.",
    },
    passwordChanged: {
      subject: "Se ha cambiado su contraseña",
      occasion: (host) => `Se ha cambiado la contraseña de su cuenta en ${host}.`,
      request: "Si la ha cambiado usted, no tiene que hacer nada más.",
      unexpected: "¿No la ha cambiado usted? En ese caso, póngase en contacto de inmediato con su administrador.",
    },
    sms: (digits) => `Su clave: ${digits}, vence en 1 hora`,
    resetSms: "Elija una contraseña nueva en un plazo de 1 hora:",
  },
};
