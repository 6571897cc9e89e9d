import type { Texts } from "../en/en.ts";

export const FRAME: Texts["frame"] = {
  errorTitle: "Erreur\u00a0: {{title}}",
  problems: {
    "invalid-link": {
      title: "Ce lien n’est pas valide",
      text: "Vérifiez que vous avez ouvert le lien complet reçu dans votre message. Si c’est le cas, il est peut-être trop ancien\u00a0: connectez-vous, choisissez-y «\u00a0Oublié\u202f?\u00a0» ou demandez un nouveau lien à votre administrateur.",
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
    malformed: {
      title: "Cette demande n’est pas valide",
      text: "Elle contient un élément qui n’est pas accepté ici. Veuillez revenir en arrière et réessayer.",
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
    tryAgain: "Veuillez réessayer {{delay}}.",
    details: "Détails\u00a0:",
    requestId: "Requête",
  },
  password: {
    show: { text: "Afficher", label: "Afficher le mot de passe" },
    hide: { text: "Masquer", label: "Masquer le mot de passe" },
    rule: "Au moins {{characters}} caractères. Une suite de quelques mots est facile à retenir.",
    errors: {
      missing: "Veuillez choisir un mot de passe.",
      "too-short": "Le mot de passe est trop court\u00a0: il doit comporter au moins 8 caractères.",
      "too-long":
        "Le mot de passe est trop long\u00a0: il ne doit pas dépasser {{bytes}} octets. Les accents et les émojis comptent plusieurs fois.",
      "not-text": "Le mot de passe contient un caractère qui ne peut pas être utilisé.",
      common: "Ce mot de passe est très répandu, donc facile à deviner. Veuillez en choisir un autre.",
      personal:
        "Ce mot de passe ne contient guère plus qu’un nom, il est donc facile à deviner. Veuillez en choisir un autre.",
      different: "Les deux mots de passe ne correspondent pas. Veuillez les saisir de nouveau.",
      unchanged: "C’est votre mot de passe actuel. Veuillez en choisir un autre.",
    },
  },
  signInLink: {
    signIn: "Se connecter",
    userName: "Nom d’utilisateur",
  },
  brand: {
    support: "Aide",
    terms: "Conditions d’utilisation",
    privacy: "Confidentialité",
    watermark: "Sécurisé par Signet",
  },
};
