import type { Texts } from "../en/en.ts";

export const OIDC: Texts["oidc"] = {
  logout: {
    ask: {
      title: "Voulez-vous vous déconnecter\u202f?",
      text: "Vous serez déconnecté de toutes les applications dans ce navigateur.",
      textFor:
        "{{app}} demande votre déconnexion. Vous serez déconnecté de toutes les applications dans ce navigateur.",
    },
    signOut: "Se déconnecter",
    stay: "Rester connecté",
    done: { title: "Vous êtes déconnecté", text: "Vous pouvez fermer cette page." },
  },
  device: {
    ask: { title: "Connecter un appareil", text: "Saisissez le code affiché par l’appareil." },
    code: "Code",
    app: "Application",
    wrong: "Ce code n’est pas valide. Comparez-le avec celui de l’appareil ou recommencez sur l’appareil.",
    declined: "La connexion a été annulée. Pour vous connecter, recommencez sur l’appareil.",
    expired: "Ce formulaire a expiré ou le navigateur n’a pas envoyé son cookie.",
    next: "Continuer",
    confirm: {
      title: "Est-ce votre appareil\u202f?",
      text: "Continuez uniquement si c’est vous qui avez commencé cette connexion et si votre appareil affiche le même code.",
      apiAccess:
        "L’application pourra agir en votre nom\u00a0: lire et modifier tout ce que vos rôles permettent, par exemple les utilisateurs, les applications et les fournisseurs d’identité. Il se peut que vous deviez d’abord vous reconnecter.",
    },
    signIn: "Connecter l’appareil",
    cancel: "Annuler",
    done: { title: "L’appareil est connecté", text: "Vous pouvez fermer cette page et continuer sur l’appareil." },
  },
  error: {
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
};
