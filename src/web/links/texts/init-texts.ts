import type { Language } from "../../../messages/languages.ts";
import type { LinkTexts, TitledText } from "./link-texts.ts";

export interface InitTexts extends LinkTexts {
  /** The address is not verified, and no password is stored. */
  readonly setUp: TitledText;
  /** The address is verified, and no password is stored. */
  readonly setPassword: TitledText;
  /** The address is not verified, and a password is stored. */
  readonly confirm: TitledText;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly passwordOptional: string;
  readonly repeat: string;
  readonly finish: string;
  readonly confirmButton: string;
  readonly done: {
    readonly title: string;
    readonly confirmedAndPasswordSet: string;
    readonly confirmed: string;
    /** The address was verified before. */
    readonly passwordSet: string;
    /** The address was verified before, and the user chose not to set a password. */
    readonly nothingSet: string;
  };
}

export const INIT_TEXTS: Readonly<Record<Language, InitTexts>> = {
  en: {
    setUp: {
      title: "Set up your account",
      text: "Choose a password. By doing so, you also confirm that this email address is yours.",
    },
    setPassword: { title: "Set your password", text: "Choose a password for your account." },
    confirm: { title: "Confirm your email address", text: "Please confirm that this email address is yours." },
    name: "Name",
    email: "Email address",
    password: "New password",
    passwordOptional: "You can leave this empty, because you already have another way to sign in.",
    repeat: "Repeat the password",
    finish: "Finish",
    confirmButton: "Confirm",
    done: {
      title: "All done",
      confirmedAndPasswordSet: "Your email address is confirmed and your password is set.",
      confirmed: "Your email address is confirmed. You can close this window.",
      passwordSet: "Your password is set.",
      nothingSet: "No password was set. You can close this window.",
    },
    used: { title: "This link has already been used", text: "Each link works only once." },
    expired: { title: "This link has expired", text: "For your security, a link works only for a limited time." },
    replaced: {
      title: "There is a newer link",
      text: "Please open the link in the most recent email that you received.",
    },
    outdated: {
      title: "This link is no longer valid",
      text: "It was sent to an email address that the account no longer uses.",
    },
    finished: {
      title: "Nothing left to do",
      text: "This link has already been used or is no longer needed. You can close this window.",
    },
    sendOffer: (to) => `If you need a new link, we can send one to ${to}.`,
    send: "Send a new link",
    contactAdministrator: "If you need a new link, please ask your administrator.",
    sent: {
      title: "A new link is on its way",
      text: (to) => `It was sent to ${to}. Earlier links no longer work. You can close this window.`,
    },
    tooOften: {
      title: "Please wait a moment",
      text: (when) =>
        `Links have already been sent to you; please also check your spam folder. The next one can be sent ${when}.`,
    },
  },
  de: {
    setUp: {
      title: "Richten Sie Ihr Konto ein",
      text: "Wählen Sie ein Passwort. Damit bestätigen Sie zugleich, dass diese E\u2011Mail-Adresse Ihnen gehört.",
    },
    setPassword: { title: "Legen Sie Ihr Passwort fest", text: "Wählen Sie ein Passwort für Ihr Konto." },
    confirm: {
      title: "Bestätigen Sie Ihre E\u2011Mail-Adresse",
      text: "Bitte bestätigen Sie, dass diese E\u2011Mail-Adresse Ihnen gehört.",
    },
    name: "Name",
    email: "E\u2011Mail-Adresse",
    password: "Neues Passwort",
    passwordOptional: "Sie können dieses Feld leer lassen, da Sie sich bereits auf andere Weise anmelden können.",
    repeat: "Passwort wiederholen",
    finish: "Abschließen",
    confirmButton: "Bestätigen",
    done: {
      title: "Alles erledigt",
      confirmedAndPasswordSet: "Ihre E\u2011Mail-Adresse ist bestätigt und Ihr Passwort ist festgelegt.",
      confirmed: "Ihre E\u2011Mail-Adresse ist bestätigt. Sie können dieses Fenster schließen.",
      passwordSet: "Ihr Passwort ist festgelegt.",
      nothingSet: "Es wurde kein Passwort festgelegt. Sie können dieses Fenster schließen.",
    },
    used: { title: "Dieser Link wurde bereits verwendet", text: "Jeder Link funktioniert nur einmal." },
    expired: {
      title: "Dieser Link ist abgelaufen",
      text: "Zu Ihrer Sicherheit ist ein Link nur für begrenzte Zeit gültig.",
    },
    replaced: {
      title: "Es gibt einen neueren Link",
      text: "Bitte öffnen Sie den Link in der neuesten E\u2011Mail, die Sie erhalten haben.",
    },
    outdated: {
      title: "Dieser Link ist nicht mehr gültig",
      text: "Er wurde an eine E\u2011Mail-Adresse gesendet, die nicht mehr zum Konto gehört.",
    },
    finished: {
      title: "Nichts mehr zu tun",
      text: "Dieser Link wurde bereits verwendet oder wird nicht mehr benötigt. Sie können dieses Fenster schließen.",
    },
    sendOffer: (to) => `Wenn Sie einen neuen Link benötigen, können wir ihn an ${to} senden.`,
    send: "Neuen Link senden",
    contactAdministrator: "Wenn Sie einen neuen Link benötigen, wenden Sie sich bitte an Ihren Administrator.",
    sent: {
      title: "Ein neuer Link ist unterwegs",
      text: (to) =>
        `Er wurde an ${to} gesendet. Frühere Links funktionieren nicht mehr. Sie können dieses Fenster schließen.`,
    },
    tooOften: {
      title: "Bitte warten Sie einen Moment",
      text: (when) =>
        `Wir haben Ihnen bereits Links gesendet; sehen Sie auch im Spam-Ordner nach. Der nächste Link kann ${when} gesendet werden.`,
    },
  },
  fr: {
    setUp: {
      title: "Configurez votre compte",
      text: "Choisissez un mot de passe. Vous confirmerez ainsi également que cette adresse e\u2011mail est bien la vôtre.",
    },
    setPassword: {
      title: "Définissez votre mot de passe",
      text: "Choisissez un mot de passe pour votre compte.",
    },
    confirm: {
      title: "Confirmez votre adresse e\u2011mail",
      text: "Veuillez confirmer que cette adresse e\u2011mail est bien la vôtre.",
    },
    name: "Nom",
    email: "Adresse e\u2011mail",
    password: "Nouveau mot de passe",
    passwordOptional: "Vous pouvez laisser ce champ vide, car vous disposez déjà d’un autre moyen de vous connecter.",
    repeat: "Répétez le mot de passe",
    finish: "Terminer",
    confirmButton: "Confirmer",
    done: {
      title: "C’est terminé",
      confirmedAndPasswordSet: "Votre adresse e\u2011mail est confirmée et votre mot de passe a été défini.",
      confirmed: "Votre adresse e\u2011mail est confirmée. Vous pouvez fermer cette fenêtre.",
      passwordSet: "Votre mot de passe a été défini.",
      nothingSet: "Aucun mot de passe n’a été défini. Vous pouvez fermer cette fenêtre.",
    },
    used: { title: "Ce lien a déjà été utilisé", text: "Chaque lien ne fonctionne qu’une seule fois." },
    expired: {
      title: "Ce lien a expiré",
      text: "Pour votre sécurité, un lien n’est valable que pendant une durée limitée.",
    },
    replaced: {
      title: "Il existe un lien plus récent",
      text: "Veuillez ouvrir le lien de l’e\u2011mail le plus récent que vous avez reçu.",
    },
    outdated: {
      title: "Ce lien n’est plus valide",
      text: "Il a été envoyé à une adresse e\u2011mail que le compte n’utilise plus.",
    },
    finished: {
      title: "Il n’y a plus rien à faire",
      text: "Ce lien a déjà été utilisé ou n’est plus nécessaire. Vous pouvez fermer cette fenêtre.",
    },
    sendOffer: (to) => `Si vous avez besoin d’un nouveau lien, nous pouvons l’envoyer à ${to}.`,
    send: "Envoyer un nouveau lien",
    contactAdministrator: "Si vous avez besoin d’un nouveau lien, veuillez contacter votre administrateur.",
    sent: {
      title: "Un nouveau lien est en route",
      text: (to) =>
        `Il a été envoyé à ${to}. Les liens précédents ne fonctionnent plus. Vous pouvez fermer cette fenêtre.`,
    },
    tooOften: {
      title: "Veuillez patienter un instant",
      text: (when) =>
        `Nous vous avons déjà envoyé des liens\u202f; vérifiez aussi vos courriers indésirables. Le prochain lien pourra être envoyé ${when}.`,
    },
  },
  es: {
    setUp: {
      title: "Configure su cuenta",
      text: "Elija una contraseña. Con ello confirma también que esta dirección de correo electrónico es suya.",
    },
    setPassword: { title: "Establezca su contraseña", text: "Elija una contraseña para su cuenta." },
    confirm: {
      title: "Confirme su dirección de correo electrónico",
      text: "Confirme que esta dirección de correo electrónico es suya.",
    },
    name: "Nombre",
    email: "Dirección de correo electrónico",
    password: "Contraseña nueva",
    passwordOptional: "Puede dejar este campo vacío, porque ya dispone de otra forma de iniciar sesión.",
    repeat: "Repita la contraseña",
    finish: "Finalizar",
    confirmButton: "Confirmar",
    done: {
      title: "Todo listo",
      confirmedAndPasswordSet: "Su dirección de correo electrónico está confirmada y se ha establecido su contraseña.",
      confirmed: "Su dirección de correo electrónico está confirmada. Puede cerrar esta ventana.",
      passwordSet: "Se ha establecido su contraseña.",
      nothingSet: "No se ha establecido ninguna contraseña. Puede cerrar esta ventana.",
    },
    used: { title: "Este enlace ya se ha usado", text: "Cada enlace funciona una sola vez." },
    expired: {
      title: "Este enlace ha caducado",
      text: "Por su seguridad, un enlace solo es válido durante un tiempo limitado.",
    },
    replaced: {
      title: "Hay un enlace más reciente",
      text: "Abra el enlace del correo más reciente que haya recibido.",
    },
    outdated: {
      title: "Este enlace ya no es válido",
      text: "Se envió a una dirección de correo electrónico que la cuenta ya no utiliza.",
    },
    finished: {
      title: "No queda nada por hacer",
      text: "Este enlace ya se ha usado o ya no es necesario. Puede cerrar esta ventana.",
    },
    sendOffer: (to) => `Si necesita un enlace nuevo, podemos enviarlo a ${to}.`,
    send: "Enviar un enlace nuevo",
    contactAdministrator: "Si necesita un enlace nuevo, póngase en contacto con su administrador.",
    sent: {
      title: "Un enlace nuevo está en camino",
      text: (to) => `Se ha enviado a ${to}. Los enlaces anteriores ya no funcionan. Puede cerrar esta ventana.`,
    },
    tooOften: {
      title: "Espere un momento",
      text: (when) =>
        `Ya le hemos enviado enlaces; revise también la carpeta de correo no deseado. El siguiente enlace se podrá enviar ${when}.`,
    },
  },
};
