import type { Language } from "../../messages/languages.ts";
import type { PageProblem } from "./problems.ts";

type ProblemTexts = Readonly<Record<PageProblem, { readonly title: string; readonly text: string }>> & {
  /** `when` is a delay, such as "in 5 minutes". */
  readonly tryAgain: (delay: string) => string;
  readonly requestId: string;
};

export const PROBLEM_TEXTS: Readonly<Record<Language, ProblemTexts>> = {
  en: {
    "invalid-link": {
      title: "This link is not valid",
      text: "Please make sure that you opened the complete link from your message. If you did, ask your administrator for a new one.",
    },
    "blocked-user": {
      title: "This account is not available at the moment",
      text: "It has been deactivated or locked. Please ask your administrator.",
    },
    "not-found": {
      title: "Page not found",
      text: "Please check the address, or open the link from your message again.",
    },
    "wrong-method": {
      title: "This action is not supported",
      text: "The page cannot be used in this way. Please open it again, for example with the link from your message.",
    },
    foreign: {
      title: "This form came from another site",
      text: "For your security, nothing was changed. Please open the page again, for example with the link from your message.",
    },
    "wrong-type": {
      title: "This form could not be read",
      text: "Nothing was changed. Please open the page again, for example with the link from your message.",
    },
    unreadable: {
      title: "This form could not be read",
      text: "Nothing was changed. Please open the page again, for example with the link from your message.",
    },
    "too-slow": { title: "This took too long", text: "Nothing was changed. Please go back and try again." },
    "too-large": { title: "This form is too large", text: "Nothing was changed. Please go back and enter less text." },
    "too-many": {
      title: "Too many attempts",
      text: "There were too many attempts from your network. To protect all accounts, no more are accepted for now.",
    },
    failed: {
      title: "Something went wrong",
      text: "The problem is on our side. Please try again. If it happens again, give your administrator this number:",
    },
    unavailable: { title: "Please try again in a moment", text: "The service is not available right now." },
    tryAgain: (when) => `Please try again ${when}.`,
    requestId: "Request",
  },
  de: {
    "invalid-link": {
      title: "Dieser Link ist ungültig",
      text: "Bitte prüfen Sie, ob Sie den vollständigen Link aus Ihrer Nachricht geöffnet haben. Wenn ja, bitten Sie Ihren Administrator um einen neuen Link.",
    },
    "blocked-user": {
      title: "Dieses Konto kann zurzeit nicht verwendet werden",
      text: "Es wurde deaktiviert oder gesperrt. Bitte wenden Sie sich an Ihren Administrator.",
    },
    "not-found": {
      title: "Seite nicht gefunden",
      text: "Bitte prüfen Sie die Adresse oder öffnen Sie den Link aus Ihrer Nachricht noch einmal.",
    },
    "wrong-method": {
      title: "Diese Aktion ist hier nicht möglich",
      text: "Die Seite lässt sich so nicht verwenden. Bitte öffnen Sie sie noch einmal, zum Beispiel mit dem Link aus Ihrer Nachricht.",
    },
    foreign: {
      title: "Dieses Formular stammt von einer anderen Website",
      text: "Zu Ihrer Sicherheit wurde nichts geändert. Bitte öffnen Sie die Seite noch einmal, zum Beispiel mit dem Link aus Ihrer Nachricht.",
    },
    "wrong-type": {
      title: "Dieses Formular konnte nicht gelesen werden",
      text: "Es wurde nichts geändert. Bitte öffnen Sie die Seite noch einmal, zum Beispiel mit dem Link aus Ihrer Nachricht.",
    },
    unreadable: {
      title: "Dieses Formular konnte nicht gelesen werden",
      text: "Es wurde nichts geändert. Bitte öffnen Sie die Seite noch einmal, zum Beispiel mit dem Link aus Ihrer Nachricht.",
    },
    "too-slow": {
      title: "Das hat zu lange gedauert",
      text: "Es wurde nichts geändert. Bitte gehen Sie zurück und versuchen Sie es noch einmal.",
    },
    "too-large": {
      title: "Der Text ist zu lang",
      text: "Es wurde nichts geändert. Bitte gehen Sie zurück und geben Sie einen kürzeren Text ein.",
    },
    "too-many": {
      title: "Zu viele Versuche",
      text: "Aus Ihrem Netzwerk kamen zu viele Versuche. Zum Schutz aller Konten werden vorerst keine weiteren angenommen.",
    },
    failed: {
      title: "Etwas ist schiefgegangen",
      text: "Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal. Wenn der Fehler wieder auftritt, nennen Sie Ihrem Administrator diese Nummer:",
    },
    unavailable: {
      title: "Bitte versuchen Sie es gleich noch einmal",
      text: "Der Dienst ist zurzeit nicht verfügbar.",
    },
    tryAgain: (when) => `Bitte versuchen Sie es ${when} noch einmal.`,
    requestId: "Anfrage",
  },
  fr: {
    "invalid-link": {
      title: "Ce lien n’est pas valide",
      text: "Vérifiez que vous avez ouvert le lien complet reçu dans votre message. Si c’est le cas, demandez un nouveau lien à votre administrateur.",
    },
    "blocked-user": {
      title: "Ce compte ne peut pas être utilisé pour le moment",
      text: "Il a été désactivé ou verrouillé. Veuillez contacter votre administrateur.",
    },
    "not-found": {
      title: "Page introuvable",
      text: "Veuillez vérifier l’adresse ou ouvrir de nouveau le lien reçu dans votre message.",
    },
    "wrong-method": {
      title: "Cette action n’est pas possible ici",
      text: "La page ne peut pas être utilisée de cette façon. Veuillez l’ouvrir de nouveau, par exemple avec le lien reçu dans votre message.",
    },
    foreign: {
      title: "Ce formulaire provient d’un autre site",
      text: "Pour votre sécurité, rien n’a été modifié. Veuillez ouvrir de nouveau la page, par exemple avec le lien reçu dans votre message.",
    },
    "wrong-type": {
      title: "Impossible de lire ce formulaire",
      text: "Rien n’a été modifié. Veuillez ouvrir de nouveau la page, par exemple avec le lien reçu dans votre message.",
    },
    unreadable: {
      title: "Impossible de lire ce formulaire",
      text: "Rien n’a été modifié. Veuillez ouvrir de nouveau la page, par exemple avec le lien reçu dans votre message.",
    },
    "too-slow": {
      title: "L’envoi a pris trop de temps",
      text: "Rien n’a été modifié. Veuillez revenir en arrière et réessayer.",
    },
    "too-large": {
      title: "Le texte est trop long",
      text: "Rien n’a été modifié. Veuillez revenir en arrière et saisir un texte plus court.",
    },
    "too-many": {
      title: "Trop de tentatives",
      text: "Il y a eu trop de tentatives depuis votre réseau. Pour protéger tous les comptes, aucune autre n’est acceptée pour le moment.",
    },
    failed: {
      title: "Une erreur s’est produite",
      text: "Le problème vient de notre côté. Veuillez réessayer. Si l’erreur se reproduit, communiquez ce numéro à votre administrateur\u00a0:",
    },
    unavailable: {
      title: "Veuillez réessayer dans un instant",
      text: "Le service n’est pas disponible pour le moment.",
    },
    tryAgain: (when) => `Veuillez réessayer ${when}.`,
    requestId: "Requête",
  },
  es: {
    "invalid-link": {
      title: "Este enlace no es válido",
      text: "Compruebe que ha abierto el enlace completo de su mensaje. Si es así, pida un enlace nuevo a su administrador.",
    },
    "blocked-user": {
      title: "Esta cuenta no se puede usar por ahora",
      text: "Se ha desactivado o bloqueado. Póngase en contacto con su administrador.",
    },
    "not-found": {
      title: "Página no encontrada",
      text: "Compruebe la dirección o abra de nuevo el enlace de su mensaje.",
    },
    "wrong-method": {
      title: "Esta acción no es posible aquí",
      text: "La página no se puede usar de esta manera. Ábrala de nuevo, por ejemplo con el enlace de su mensaje.",
    },
    foreign: {
      title: "Este formulario procede de otro sitio",
      text: "Por su seguridad, no se ha realizado ningún cambio. Abra de nuevo la página, por ejemplo con el enlace de su mensaje.",
    },
    "wrong-type": {
      title: "No se ha podido leer este formulario",
      text: "No se ha realizado ningún cambio. Abra de nuevo la página, por ejemplo con el enlace de su mensaje.",
    },
    unreadable: {
      title: "No se ha podido leer este formulario",
      text: "No se ha realizado ningún cambio. Abra de nuevo la página, por ejemplo con el enlace de su mensaje.",
    },
    "too-slow": {
      title: "El envío ha tardado demasiado",
      text: "No se ha realizado ningún cambio. Vuelva atrás y pruebe de nuevo.",
    },
    "too-large": {
      title: "El texto es demasiado largo",
      text: "No se ha realizado ningún cambio. Vuelva atrás e introduzca un texto más corto.",
    },
    "too-many": {
      title: "Demasiados intentos",
      text: "Se han realizado demasiados intentos desde su red. Para proteger todas las cuentas, por ahora no se aceptan más.",
    },
    failed: {
      title: "Algo ha salido mal",
      text: "El problema está en nuestro servicio. Vuelva a intentarlo. Si el error se repite, facilite este número a su administrador:",
    },
    unavailable: {
      title: "Vuelva a intentarlo dentro de un momento",
      text: "El servicio no está disponible en este momento.",
    },
    tryAgain: (when) => `Vuelva a intentarlo ${when}.`,
    requestId: "Solicitud",
  },
};
