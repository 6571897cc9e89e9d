import type { EN_OVERVIEW } from "../en/overview.ts";

export const FR_OVERVIEW: typeof EN_OVERVIEW = {
  title: "Vue d’ensemble",
  first: "Premières étapes",
  progress: (done, total) => `${done} sur ${total} ${done < 2 ? "terminée" : "terminées"}`,
  next: (step) => `Étape suivante\u00a0: ${step}`,
  begin: "Commencer",
  isDone: "Terminé",
  steps: {
    email: {
      title: "Configurer un serveur de messagerie",
      reason:
        "Définissez SMTP_URL pour que les invitations et les liens de réinitialisation des mots de passe soient envoyés.",
    },
    owner: {
      title: "Ajouter un second propriétaire",
      reason: "Une personne peut être absente ou perdre son mot de passe.",
    },
    users: {
      title: "Ajouter des utilisateurs",
      reason: "Ajoutez-les un par un, ou importez-les d’un autre système.",
    },
    app: { title: "Ajouter une application", reason: "On s’y connecte avec Signet." },
    provider: {
      title: "Connecter un fournisseur",
      reason: "On se connecte avec un compte que l’on a déjà, par exemple chez Google.",
    },
  },
  activity: "Dernières 24 heures",
  byHour: (title) => `${title} par heure`,
  latestOnly: (count) => `Le graphique montre les ${count} derniers événements.`,
  waiting: "Messages en attente",
  noFailed: "Aucun échec",
  failed: (count) => `Échecs\u00a0: ${count}`,
};
