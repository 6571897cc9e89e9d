import type { Language } from "../languages.ts";

/**
 * The texts of the messages. In those of an SMS stand only characters of the GSM 7-bit alphabet (3GPP TS 23.038), because
 * any other, such as the ó of Spanish, cuts what fits into one SMS from 160 characters to 70.
 */
export interface Texts {
  readonly email: {
    readonly subject: string;
    readonly greeting: string;
    readonly greetingByName: (name: string) => string;
    /** What happened, and where. */
    readonly occasion: (host: string) => string;
    readonly request: string;
    readonly password: string;
    readonly button: string;
    /** Stands over the link, where there is no button. */
    readonly openLink: string;
    /** Stands over the link, where there is a button. */
    readonly copyLink: string;
    readonly validity: (hours: number) => string;
    readonly sentTo: (address: string) => string;
    readonly unexpected: string;
  };
  readonly sms: (digits: string) => string;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    email: {
      subject: "Confirm your email address",
      greeting: "Hello,",
      greetingByName: (name) => `Hello ${name},`,
      occasion: (host) => `An account has been created for you at ${host}.`,
      request: "Please confirm that this is your email address.",
      password: "If you do not have a password yet, you can set one on the same page.",
      button: "Confirm email address",
      openLink: "To do so, open this link:",
      copyLink: "If the button does not work, copy this address into your browser:",
      validity: (hours) => `The link is valid for ${hours} hours from the time this email was sent.`,
      sentTo: (address) => `This email was sent to ${address}.`,
      unexpected: "Didn’t expect this email? Then you can simply ignore it.",
    },
    sms: (digits) => `Your code: ${digits}, valid 1 hour`,
  },
  de: {
    email: {
      subject: "Bestätigen Sie Ihre E-Mail-Adresse",
      greeting: "Guten Tag,",
      greetingByName: (name) => `Guten Tag ${name},`,
      occasion: (host) => `für Sie wurde ein Konto bei ${host} angelegt.`,
      request: "Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist.",
      password: "Wenn Sie noch kein Passwort haben, können Sie auf derselben Seite eines festlegen.",
      button: "E-Mail-Adresse bestätigen",
      openLink: "Öffnen Sie dazu diesen Link:",
      copyLink: "Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
      validity: (hours) => `Der Link ist ab dem Versand dieser E-Mail ${hours} Stunden lang gültig.`,
      sentTo: (address) => `Diese E-Mail wurde an ${address} gesendet.`,
      unexpected: "Sie haben diese E-Mail nicht erwartet? Dann können Sie sie einfach ignorieren.",
    },
    sms: (digits) => `Ihr Code: ${digits}, 1 Stunde gültig`,
  },
  fr: {
    email: {
      subject: "Confirmez votre adresse e-mail",
      greeting: "Bonjour,",
      greetingByName: (name) => `Bonjour ${name},`,
      occasion: (host) => `Un compte a été créé pour vous sur ${host}.`,
      request: "Veuillez confirmer que cette adresse e-mail est bien la vôtre.",
      password: "Si vous n’avez pas encore de mot de passe, vous pourrez en définir un sur la même page.",
      button: "Confirmer l’adresse e-mail",
      openLink: "Pour cela, ouvrez ce lien\u00a0:",
      copyLink: "Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:",
      validity: (hours) => `Ce lien est valable ${hours} heures à compter de l’envoi de cet e-mail.`,
      sentTo: (address) => `Cet e-mail a été envoyé à ${address}.`,
      unexpected: "Vous n’attendiez pas cet e-mail\u202f? Vous pouvez simplement l’ignorer.",
    },
    sms: (digits) => `Votre code : ${digits}, valable 1 heure`,
  },
  es: {
    email: {
      subject: "Confirme su dirección de correo electrónico",
      greeting: "Hola:",
      greetingByName: (name) => `Hola, ${name}:`,
      occasion: (host) => `Se ha creado una cuenta para usted en ${host}.`,
      request: "Por favor, confirme que esta es su dirección de correo electrónico.",
      password: "Si aún no tiene contraseña, podrá crear una en la misma página.",
      button: "Confirmar la dirección",
      openLink: "Para ello, abra este enlace:",
      copyLink: "Si el botón no funciona, copie esta dirección en su navegador:",
      validity: (hours) => `El enlace es válido durante ${hours} horas desde el envío de este correo.`,
      sentTo: (address) => `Este correo se envió a ${address}.`,
      unexpected: "¿No esperaba este correo? En ese caso, puede ignorarlo sin más.",
    },
    sms: (digits) => `Su clave: ${digits}, vence en 1 hora`,
  },
};
