import type { CodeState } from "../../../codes/find-code.ts";
import type { Language } from "../../../messages/languages.ts";
import type { TitledText } from "./link-texts.ts";

/** The texts of the page that sets a new password. Its fields share the texts of the page that sets the first one. */
export interface ResetTexts extends Readonly<Record<Exclude<CodeState, "valid" | "blocked">, TitledText>> {
  readonly choose: TitledText & { readonly button: string };
  readonly done: TitledText;
}

export const RESET_TEXTS: Readonly<Record<Language, ResetTexts>> = {
  en: {
    choose: {
      title: "Choose a new password",
      text: "It replaces the current password of your account.",
      button: "Set the new password",
    },
    done: { title: "All done", text: "Your new password is set." },
    used: {
      title: "This link has already been used",
      text: "Each link works only once. If you still need a new password, please request another link.",
    },
    expired: {
      title: "This link has expired",
      text: "For your security, a link expires after a limited time, and when the password is changed. If you still need a new password, please request another link.",
    },
    replaced: {
      title: "There is a newer link",
      text: "Please open the link in the most recent message that you received.",
    },
    outdated: {
      title: "This link is no longer valid",
      text: "It was sent to an address or a number that the account no longer uses.",
    },
  },
  de: {
    choose: {
      title: "Wählen Sie ein neues Passwort",
      text: "Es ersetzt das aktuelle Passwort Ihres Kontos.",
      button: "Neues Passwort festlegen",
    },
    done: {
      title: "Alles erledigt",
      text: "Ihr neues Passwort ist festgelegt.",
    },
    used: {
      title: "Dieser Link wurde bereits verwendet",
      text: "Jeder Link funktioniert nur einmal. Wenn Sie weiterhin ein neues Passwort benötigen, fordern Sie bitte einen neuen Link an.",
    },
    expired: {
      title: "Dieser Link ist abgelaufen",
      text: "Zu Ihrer Sicherheit ist ein Link nur für begrenzte Zeit gültig und nur, bis das Passwort geändert wird. Wenn Sie weiterhin ein neues Passwort benötigen, fordern Sie bitte einen neuen Link an.",
    },
    replaced: {
      title: "Es gibt einen neueren Link",
      text: "Bitte öffnen Sie den Link in der neuesten Nachricht, die Sie erhalten haben.",
    },
    outdated: {
      title: "Dieser Link ist nicht mehr gültig",
      text: "Er wurde an eine Adresse oder Nummer gesendet, die nicht mehr zum Konto gehört.",
    },
  },
  fr: {
    choose: {
      title: "Choisissez un nouveau mot de passe",
      text: "Il remplace le mot de passe actuel de votre compte.",
      button: "Définir le nouveau mot de passe",
    },
    done: {
      title: "C’est terminé",
      text: "Votre nouveau mot de passe a été défini.",
    },
    used: {
      title: "Ce lien a déjà été utilisé",
      text: "Chaque lien ne fonctionne qu’une seule fois. Si vous avez toujours besoin d’un nouveau mot de passe, veuillez demander un nouveau lien.",
    },
    expired: {
      title: "Ce lien a expiré",
      text: "Pour votre sécurité, un lien n’est valable que pendant une durée limitée et jusqu’à la modification du mot de passe. Si vous avez toujours besoin d’un nouveau mot de passe, veuillez demander un nouveau lien.",
    },
    replaced: {
      title: "Il existe un lien plus récent",
      text: "Veuillez ouvrir le lien du message le plus récent que vous avez reçu.",
    },
    outdated: {
      title: "Ce lien n’est plus valide",
      text: "Il a été envoyé à une adresse ou à un numéro que le compte n’utilise plus.",
    },
  },
  es: {
    choose: {
      title: "Elija una contraseña nueva",
      text: "Sustituye a la contraseña actual de su cuenta.",
      button: "Establecer la contraseña nueva",
    },
    done: {
      title: "Todo listo",
      text: "Se ha establecido su contraseña nueva.",
    },
    used: {
      title: "Este enlace ya se ha usado",
      text: "Cada enlace funciona una sola vez. Si todavía necesita una contraseña nueva, solicite un enlace nuevo.",
    },
    expired: {
      title: "Este enlace ha caducado",
      text: "Por su seguridad, un enlace solo es válido durante un tiempo limitado y hasta que se cambie la contraseña. Si todavía necesita una contraseña nueva, solicite un enlace nuevo.",
    },
    replaced: {
      title: "Hay un enlace más reciente",
      text: "Abra el enlace del mensaje más reciente que haya recibido.",
    },
    outdated: {
      title: "Este enlace ya no es válido",
      text: "Se envió a una dirección o a un número que la cuenta ya no utiliza.",
    },
  },
};
