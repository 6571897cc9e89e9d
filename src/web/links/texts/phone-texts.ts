import type { Language } from "../../../messages/languages.ts";
import type { LinkTexts, TitledText } from "./link-texts.ts";

export interface PhoneTexts extends LinkTexts {
  readonly confirm: TitledText;
  readonly name: string;
  readonly number: string;
  /** A number of which only the last two digits are shown, as part of a sentence. In Spanish, it includes the preposition. */
  readonly endingIn: (digits: string) => string;
  readonly digits: string;
  readonly digitsRule: string;
  readonly errors: {
    readonly malformed: string;
    /** Takes the number of attempts left, at least one. */
    readonly wrong: (left: number) => string;
  };
  readonly confirmButton: string;
  /** The code accepts no more attempts. */
  readonly ended: TitledText;
  /** The user has no attempts left for now. Takes the time of the next attempt, such as "in 5 hours". */
  readonly tooMany: { readonly title: string; readonly text: (delay: string) => string };
  readonly done: TitledText;
}

export const PHONE_TEXTS: Readonly<Record<Language, PhoneTexts>> = {
  en: {
    confirm: { title: "Confirm your phone number", text: "Enter the six-digit code that we sent you by SMS." },
    name: "Name",
    number: "Phone number",
    endingIn: (digits) => `the number ending in ${digits}`,
    digits: "Code",
    digitsRule: "Six digits, for example 123 456",
    errors: {
      malformed: "The code has six digits. Please enter all of them.",
      wrong: (left) =>
        left === 1
          ? "This code is incorrect. You have one attempt left."
          : `This code is incorrect. You have ${left} attempts left.`,
    },
    confirmButton: "Confirm",
    ended: {
      title: "Too many incorrect attempts",
      text: "For your security, this code no longer works, even if you enter it correctly.",
    },
    tooMany: {
      title: "Too many incorrect codes",
      text: (when) =>
        `For your security, no more codes are accepted for now. You can try again with a new code ${when}.`,
    },
    done: { title: "All done", text: "Your phone number is confirmed. You can close this window." },
    used: { title: "This code has already been used", text: "Each code works only once." },
    expired: { title: "This code has expired", text: "For your security, a code works only for a limited time." },
    replaced: {
      title: "There is a newer code",
      text: "Please open the link in the most recent SMS that you received.",
    },
    outdated: {
      title: "This link is no longer valid",
      text: "It was sent to a phone number that the account no longer uses.",
    },
    finished: { title: "Nothing left to do", text: "Your phone number is confirmed. You can close this window." },
    sendOffer: (to) => `If you need a new code, we can send one to ${to}.`,
    send: "Send a new code",
    contactAdministrator: "If you need a new code, please ask your administrator.",
    sent: {
      title: "A new code is on its way",
      text: (to) => `It was sent to ${to}. Open the link in the new SMS; earlier codes no longer work.`,
    },
    tooOften: {
      title: "Please wait a moment",
      text: (when) =>
        `Codes have already been sent to you, and an SMS can take a while to arrive. The next one can be sent ${when}.`,
    },
  },
  de: {
    confirm: {
      title: "Bestätigen Sie Ihre Telefonnummer",
      text: "Geben Sie den sechsstelligen Code ein, den wir Ihnen per SMS gesendet haben.",
    },
    name: "Name",
    number: "Telefonnummer",
    endingIn: (digits) => `die Nummer mit den Endziffern ${digits}`,
    digits: "Code",
    digitsRule: "Sechs Ziffern, zum Beispiel 123 456",
    errors: {
      malformed: "Der Code besteht aus sechs Ziffern. Bitte geben Sie alle ein.",
      wrong: (left) =>
        left === 1
          ? "Dieser Code ist falsch. Sie haben noch einen Versuch."
          : `Dieser Code ist falsch. Sie haben noch ${left} Versuche.`,
    },
    confirmButton: "Bestätigen",
    ended: {
      title: "Zu viele falsche Versuche",
      text: "Zu Ihrer Sicherheit funktioniert dieser Code nicht mehr, auch wenn Sie ihn richtig eingeben.",
    },
    tooMany: {
      title: "Zu viele falsche Codes",
      text: (when) =>
        `Zu Ihrer Sicherheit werden vorerst keine Codes mehr angenommen. Sie können es ${when} mit einem neuen Code noch einmal versuchen.`,
    },
    done: {
      title: "Alles erledigt",
      text: "Ihre Telefonnummer ist bestätigt. Sie können dieses Fenster schließen.",
    },
    used: { title: "Dieser Code wurde bereits verwendet", text: "Jeder Code funktioniert nur einmal." },
    expired: {
      title: "Dieser Code ist abgelaufen",
      text: "Zu Ihrer Sicherheit ist ein Code nur für begrenzte Zeit gültig.",
    },
    replaced: {
      title: "Es gibt einen neueren Code",
      text: "Bitte öffnen Sie den Link in der neuesten SMS, die Sie erhalten haben.",
    },
    outdated: {
      title: "Dieser Link ist nicht mehr gültig",
      text: "Er wurde an eine Telefonnummer gesendet, die nicht mehr zum Konto gehört.",
    },
    finished: {
      title: "Nichts mehr zu tun",
      text: "Ihre Telefonnummer ist bestätigt. Sie können dieses Fenster schließen.",
    },
    sendOffer: (to) => `Wenn Sie einen neuen Code benötigen, können wir ihn an ${to} senden.`,
    send: "Neuen Code senden",
    contactAdministrator: "Wenn Sie einen neuen Code benötigen, wenden Sie sich bitte an Ihren Administrator.",
    sent: {
      title: "Ein neuer Code ist unterwegs",
      text: (to) =>
        `Er wurde an ${to} gesendet. Öffnen Sie den Link in der neuen SMS; frühere Codes funktionieren nicht mehr.`,
    },
    tooOften: {
      title: "Bitte warten Sie einen Moment",
      text: (when) =>
        `Wir haben Ihnen bereits Codes gesendet, und es kann etwas dauern, bis eine SMS ankommt. Der nächste Code kann ${when} gesendet werden.`,
    },
  },
  fr: {
    confirm: {
      title: "Confirmez votre numéro de téléphone",
      text: "Saisissez le code à six chiffres que nous vous avons envoyé par SMS.",
    },
    name: "Nom",
    number: "Numéro de téléphone",
    endingIn: (digits) => `le numéro se terminant par ${digits}`,
    digits: "Code",
    digitsRule: "Six chiffres, par exemple 123 456",
    errors: {
      malformed: "Le code comporte six chiffres. Veuillez les saisir tous.",
      wrong: (left) =>
        left === 1
          ? "Ce code est incorrect. Il vous reste une tentative."
          : `Ce code est incorrect. Il vous reste ${left} tentatives.`,
    },
    confirmButton: "Confirmer",
    ended: {
      title: "Trop de tentatives incorrectes",
      text: "Pour votre sécurité, ce code ne fonctionne plus, même si vous le saisissez correctement.",
    },
    tooMany: {
      title: "Trop de codes incorrects",
      text: (when) =>
        `Pour votre sécurité, aucun code n’est plus accepté pour le moment. Vous pourrez réessayer avec un nouveau code ${when}.`,
    },
    done: {
      title: "C’est terminé",
      text: "Votre numéro de téléphone est confirmé. Vous pouvez fermer cette fenêtre.",
    },
    used: { title: "Ce code a déjà été utilisé", text: "Chaque code ne fonctionne qu’une seule fois." },
    expired: {
      title: "Ce code a expiré",
      text: "Pour votre sécurité, un code n’est valable que pendant une durée limitée.",
    },
    replaced: {
      title: "Il existe un code plus récent",
      text: "Veuillez ouvrir le lien du SMS le plus récent que vous avez reçu.",
    },
    outdated: {
      title: "Ce lien n’est plus valide",
      text: "Il a été envoyé à un numéro de téléphone que le compte n’utilise plus.",
    },
    finished: {
      title: "Il n’y a plus rien à faire",
      text: "Votre numéro de téléphone est confirmé. Vous pouvez fermer cette fenêtre.",
    },
    sendOffer: (to) => `Si vous avez besoin d’un nouveau code, nous pouvons l’envoyer vers ${to}.`,
    send: "Envoyer un nouveau code",
    contactAdministrator: "Si vous avez besoin d’un nouveau code, veuillez contacter votre administrateur.",
    sent: {
      title: "Un nouveau code est en route",
      text: (to) =>
        `Il a été envoyé vers ${to}. Ouvrez le lien du nouveau SMS\u202f; les codes précédents ne fonctionnent plus.`,
    },
    tooOften: {
      title: "Veuillez patienter un instant",
      text: (when) =>
        `Nous vous avons déjà envoyé des codes, et un SMS peut mettre un moment à arriver. Le prochain code pourra être envoyé ${when}.`,
    },
  },
  es: {
    confirm: {
      title: "Confirme su número de teléfono",
      text: "Introduzca el código de seis dígitos que le hemos enviado por SMS.",
    },
    name: "Nombre",
    number: "Número de teléfono",
    endingIn: (digits) => `al número que termina en ${digits}`,
    digits: "Código",
    digitsRule: "Seis dígitos, por ejemplo 123 456",
    errors: {
      malformed: "El código tiene seis dígitos. Introdúzcalos todos.",
      wrong: (left) =>
        left === 1
          ? "Este código no es correcto. Le queda un intento."
          : `Este código no es correcto. Le quedan ${left} intentos.`,
    },
    confirmButton: "Confirmar",
    ended: {
      title: "Demasiados intentos incorrectos",
      text: "Por su seguridad, este código ya no funciona, aunque lo introduzca correctamente.",
    },
    tooMany: {
      title: "Demasiados códigos incorrectos",
      text: (when) =>
        `Por su seguridad, por ahora no se aceptan más códigos. Podrá volver a intentarlo con un código nuevo ${when}.`,
    },
    done: { title: "Todo listo", text: "Su número de teléfono está confirmado. Puede cerrar esta ventana." },
    used: { title: "Este código ya se ha usado", text: "Cada código funciona una sola vez." },
    expired: {
      title: "Este código ha caducado",
      text: "Por su seguridad, un código solo es válido durante un tiempo limitado.",
    },
    replaced: {
      title: "Hay un código más reciente",
      text: "Abra el enlace del SMS más reciente que haya recibido.",
    },
    outdated: {
      title: "Este enlace ya no es válido",
      text: "Se envió a un número de teléfono que la cuenta ya no utiliza.",
    },
    finished: {
      title: "No queda nada por hacer",
      text: "Su número de teléfono está confirmado. Puede cerrar esta ventana.",
    },
    sendOffer: (to) => `Si necesita un código nuevo, podemos enviarlo ${to}.`,
    send: "Enviar un código nuevo",
    contactAdministrator: "Si necesita un código nuevo, póngase en contacto con su administrador.",
    sent: {
      title: "Un código nuevo está en camino",
      text: (to) => `Se ha enviado ${to}. Abra el enlace del nuevo SMS; los códigos anteriores ya no funcionan.`,
    },
    tooOften: {
      title: "Espere un momento",
      text: (when) =>
        `Ya le hemos enviado códigos, y un SMS puede tardar un rato en llegar. El siguiente código se podrá enviar ${when}.`,
    },
  },
};
