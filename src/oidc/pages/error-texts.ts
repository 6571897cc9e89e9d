import type { Language } from "../../messages/languages.ts";

interface ProblemText {
  readonly title: string;
  readonly text: string;
}

interface ErrorTexts {
  readonly expired: ProblemText;
  readonly unknownApp: ProblemText;
  readonly refused: ProblemText;
  readonly failed: ProblemText;
  readonly details: string;
}

export const ERROR_TEXTS: Readonly<Record<Language, ErrorTexts>> = {
  en: {
    expired: {
      title: "This sign-in has expired",
      text: "It took too long, or it was completed in another tab. Please go back to the application and sign in again.",
    },
    unknownApp: {
      title: "Unknown application",
      text: "The application that sent you here is not registered or has been deactivated. Please contact its operator.",
    },
    refused: {
      title: "Invalid request from the application",
      text: "The application sent an invalid request. Please go back to the application and try again. If it happens again, contact its operator.",
    },
    failed: {
      title: "Something went wrong",
      text: "The problem is on our side. Please go back to the application and try again.",
    },
    details: "Details:",
  },
  de: {
    expired: {
      title: "Diese Anmeldung ist abgelaufen",
      text: "Sie hat zu lange gedauert oder wurde in einem anderen Tab abgeschlossen. Bitte gehen Sie zurück zur Anwendung und melden Sie sich noch einmal an.",
    },
    unknownApp: {
      title: "Unbekannte Anwendung",
      text: "Die Anwendung, die Sie hierher geleitet hat, ist nicht registriert oder wurde deaktiviert. Bitte wenden Sie sich an deren Betreiber.",
    },
    refused: {
      title: "Ungültige Anfrage der Anwendung",
      text: "Die Anwendung hat eine ungültige Anfrage gesendet. Bitte gehen Sie zurück zur Anwendung und versuchen Sie es noch einmal. Wenn der Fehler wieder auftritt, wenden Sie sich an deren Betreiber.",
    },
    failed: {
      title: "Etwas ist schiefgegangen",
      text: "Der Fehler liegt bei uns. Bitte gehen Sie zurück zur Anwendung und versuchen Sie es noch einmal.",
    },
    details: "Einzelheiten:",
  },
  fr: {
    expired: {
      title: "Cette connexion a expiré",
      text: "Elle a pris trop de temps ou a été terminée dans un autre onglet. Veuillez retourner à l’application et vous connecter de nouveau.",
    },
    unknownApp: {
      title: "Application inconnue",
      text: "L’application qui vous a redirigé ici n’est pas enregistrée ou a été désactivée. Veuillez contacter ses responsables.",
    },
    refused: {
      title: "Demande non valide de l’application",
      text: "L’application a envoyé une demande non valide. Veuillez retourner à l’application et réessayer. Si l’erreur se reproduit, contactez ses responsables.",
    },
    failed: {
      title: "Une erreur s’est produite",
      text: "Le problème vient de notre côté. Veuillez retourner à l’application et réessayer.",
    },
    details: "Détails\u00a0:",
  },
  es: {
    expired: {
      title: "Este inicio de sesión ha caducado",
      text: "Ha tardado demasiado o se ha completado en otra pestaña. Vuelva a la aplicación e inicie sesión de nuevo.",
    },
    unknownApp: {
      title: "Aplicación desconocida",
      text: "La aplicación que le ha dirigido aquí no está registrada o se ha desactivado. Póngase en contacto con sus responsables.",
    },
    refused: {
      title: "Solicitud no válida de la aplicación",
      text: "La aplicación ha enviado una solicitud no válida. Vuelva a la aplicación y pruebe de nuevo. Si el error se repite, póngase en contacto con sus responsables.",
    },
    failed: {
      title: "Algo ha salido mal",
      text: "El problema está en nuestro servicio. Vuelva a la aplicación y pruebe de nuevo.",
    },
    details: "Detalles:",
  },
};
