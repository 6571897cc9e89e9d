import type { Texts } from "../en/en.ts";

export const SIGN_IN: Texts["signIn"] = {
  titleFor: "Se connecter à {{app}}",
  userName: "Nom d’utilisateur",
  identifiers: {
    withEmail: {
      label: "E\u2011mail ou nom d’utilisateur",
      failed: "Identifiant ou mot de passe incorrect.",
      shared: "Adresse partagée\u202f? Nom d’utilisateur requis.",
      resetText:
        "Saisissez votre adresse e\u2011mail ou votre nom d’utilisateur. Nous enverrons à l’adresse e\u2011mail de votre compte un lien pour choisir un nouveau mot de passe.",
      sentText:
        "S’il existe un compte avec ce nom d’utilisateur ou cette adresse e\u2011mail confirmée, un lien est en route. Cela peut prendre quelques minutes\u202f; vérifiez aussi vos courriers indésirables. Si plusieurs comptes partagent l’adresse, saisissez plutôt le nom d’utilisateur.",
    },
    withPhone: {
      label: "Téléphone ou nom d’utilisateur",
      failed: "Identifiant ou mot de passe incorrect.",
      shared: "Numéro partagé\u202f? Nom d’utilisateur requis.",
      resetText:
        "Saisissez votre numéro de téléphone ou votre nom d’utilisateur. Nous enverrons à l’adresse e\u2011mail de votre compte un lien pour choisir un nouveau mot de passe.",
      sentText:
        "S’il existe un compte avec ce nom d’utilisateur ou ce numéro de téléphone confirmé, et avec une adresse e\u2011mail confirmée, un lien est en route vers cette adresse. Cela peut prendre quelques minutes\u202f; vérifiez aussi vos courriers indésirables. Si plusieurs comptes partagent le numéro, saisissez plutôt le nom d’utilisateur.",
    },
    nameOnly: {
      label: "Nom d’utilisateur",
      failed: "Nom d’utilisateur ou mot de passe incorrect.",
      resetText:
        "Saisissez votre nom d’utilisateur. Nous enverrons à l’adresse e\u2011mail de votre compte un lien pour choisir un nouveau mot de passe.",
      sentText:
        "S’il existe un compte avec ce nom d’utilisateur et une adresse e\u2011mail confirmée, un lien est en route. Cela peut prendre quelques minutes\u202f; vérifiez aussi vos courriers indésirables.",
    },
  },
  password: "Mot de passe",
  remember: "Rester connecté",
  submit: "Se connecter",
  cancel: "Annuler",
  forgotten: "Oublié\u202f?",
  errors: {
    tooOften: "Trop de tentatives. Réessayez {{delay}}.",
    unavailable: "La connexion n’est pas possible pour le moment. Veuillez réessayer dans quelques minutes.",
    stale: "Cette page est restée ouverte trop longtemps. Veuillez vous connecter de nouveau.",
    otherUser: "L’application nécessite un autre compte. Veuillez vous connecter en tant que {{userName}}.",
  },
  ended: {
    title: "Cette connexion est terminée",
    text: "Elle a déjà abouti, elle a pris trop de temps ou votre navigateur bloque les cookies de ce site.",
    startAgain: "Recommencer sur {{app}}",
    noApp: "Veuillez retourner à l’application et recommencer.",
  },
  newPassword: {
    title: "Choisissez un nouveau mot de passe",
    text: "Vous devez modifier votre mot de passe avant de continuer.",
    submit: "Définir le mot de passe et continuer",
  },
  address: {
    title: "Confirmez votre adresse e\u2011mail",
    sent: "Nous avons envoyé un lien à {{email}}. Vérifiez aussi vos courriers indésirables.",
    next: "Ouvrez le lien, puis revenez sur cette page et continuez.",
    notYet: "L’adresse n’est pas encore confirmée.",
    submit: "Continuer",
    sendAgain: "Envoyer le lien de nouveau",
    cannotSend: "Votre adresse {{email}} n’est pas confirmée. Demandez un lien à votre administrateur.",
  },
  reset: {
    title: "Mot de passe oublié\u202f?",
    submit: "Envoyer le lien",
    back: "Retour à la connexion",
    sent: { title: "Consultez votre boîte de réception" },
  },
  discovery: { next: "Continuer", other: "Utiliser un autre compte" },
  registration: {
    open: "Créer un compte",
    title: "Créer un compte",
    text: "Saisissez votre adresse e\u2011mail. Nous vous enverrons un lien pour la confirmer\u202f; vous choisirez ensuite comment vous connecter.",
    email: "Adresse e\u2011mail",
    invalidEmail: "Veuillez saisir une adresse e\u2011mail, par exemple nom@example.com.",
    submit: "Continuer",
    sent: {
      title: "Consultez votre boîte de réception",
      text: "Nous avons envoyé un e\u2011mail à {{email}}. Ouvrez le lien qu’il contient dans ce navigateur pour continuer. Cela peut prendre quelques minutes\u202f; vérifiez aussi votre dossier de courrier indésirable.",
    },
    finish: {
      title: "Terminez la création de votre compte",
      text: "Votre adresse {{email}} est confirmée. Saisissez votre nom et choisissez comment vous connecter.",
      firstName: "Prénom",
      lastName: "Nom",
      userName: "Nom d’utilisateur",
      password: "Créer le compte",
      passkey: "Utiliser plutôt une clé d’accès",
      needsScript: "Pour créer le compte avec une clé d’accès, activez JavaScript.",
      invalid: "Cette valeur est absente ou incorrecte.",
      foreignAddress:
        "Un nom d’utilisateur avec @ ou un numéro de téléphone doit être votre propre adresse ou numéro confirmé.",
      taken: "Ce nom d’utilisateur est déjà pris. Veuillez en choisir un autre.",
      refused: "Cette clé d’accès n’a pas été acceptée. Veuillez réessayer.",
    },
    ready: {
      title: "Votre compte est prêt",
      text: "Vous pouvez maintenant vous connecter avec {{email}}.",
      next: "Continuer vers {{app}}",
    },
    taken: {
      title: "Vous avez déjà un compte",
      text: "Il existe déjà un compte avec l’adresse {{email}}. Veuillez vous connecter avec ce compte.",
    },
    over: {
      title: "Ce lien n’est plus valable",
      text: "Il a expiré, a été copié de façon incomplète, ou il n’est plus possible de créer un compte ici. Veuillez recommencer.",
      again: "Recommencer",
    },
  },
  oneTimeCode: {
    title: "Saisissez votre code à usage unique",
    text: "Ouvrez votre application d’authentification et saisissez le code qu’elle affiche pour ce compte.",
    code: "Code à usage unique",
    submit: "Continuer",
    recovery: {
      open: "Utiliser un code de secours",
      code: "Code de secours",
      hint: "L’un des codes que vous avez enregistrés en configurant les codes à usage unique. Chaque code ne fonctionne qu’une seule fois.",
      wrong: "Ce code est incorrect ou a déjà été utilisé.",
    },
    wrong: "Ce code est incorrect ou a déjà été utilisé. Veuillez attendre le suivant.",
  },
  recentProof: {
    title: "Confirmez votre identité",
    text: "{{name}} n’a pas confirmé que vous venez de vous y connecter. Pour continuer, faites envoyer un code à votre adresse e-mail.",
    send: "Envoyer un code",
    sendAgain: "Envoyer un autre code",
    sent: "Un code a été envoyé à {{email}}. Il est valable 15 minutes.",
    code: "Code reçu par e-mail",
    wrong: "Ce code est incorrect ou n’est plus valable.",
    otherWay: "Se connecter autrement",
  },
  passkey: {
    submit: "Se connecter avec une clé d’accès",
    outcomes: {
      waiting: "Suivez les instructions de votre navigateur.",
      canceled: "La connexion a été annulée, ou cet appareil n’a pas de clé d’accès pour ce site.",
      otherHost: "Les clés d’accès ne fonctionnent pas à cette adresse.",
      failed:
        "Votre appareil n’a pas pu utiliser de clé d’accès. Veuillez réessayer ou vous connecter d’une autre manière.",
    },
    refused: "Cette clé d’accès n’a pas été acceptée. Veuillez réessayer ou vous connecter d’une autre manière.",
  },
  secondFactor: {
    back: "Retour",
    title: "Protégez votre compte",
    text: "Votre organisation exige une deuxième étape en plus du mot de passe. Choisissez ce que vous voulez utiliser\u202f; cela prend une minute.",
    until:
      "À partir du {{day}}, votre organisation exigera une deuxième étape en plus du mot de passe. Configurez-la maintenant ou plus tard.",
    app: "Utiliser une application d’authentification",
    passkey: "Ajouter une clé d’accès",
    later: "Pas maintenant",
    confirm: {
      title: "Confirmez avec votre clé d’accès",
      text: "Votre organisation exige une deuxième étape. Utilisez la clé d’accès de votre compte.",
      needsScript: "Pour utiliser une clé d’accès, activez JavaScript.",
    },
  },
  passkeyOffer: {
    title: "Se connecter plus vite la prochaine fois\u202f?",
    text: "Avec une clé d’accès, vous vous connectez avec votre empreinte digitale, votre visage ou le code PIN de votre appareil, sans mot de passe. Vous pourrez aussi en ajouter une plus tard sur la page de votre compte.",
    add: "Ajouter une clé d’accès",
    later: "Pas maintenant",
    without: "Continuer sans clé d’accès",
  },
  idp: {
    or: "ou",
    button: "Se connecter avec {{name}}",
    google: "Se connecter avec Google",
    search: { label: "Chercher un autre service", submit: "Chercher", none: "Aucun service de ce nom n’a été trouvé." },
    errors: {
      denied: "La connexion avec {{name}} a été annulée ou refusée.",
      over: "La connexion avec l’autre service a pris trop de temps ou a été recommencée. Veuillez réessayer.",
      gone: "Ce service ne permet plus de se connecter.",
      blocked: "Vous ne pouvez pas vous connecter avec ce compte.",
      notFresh:
        "{{name}} n’a pas confirmé que vous venez de vous y connecter. Veuillez vous connecter autrement, ou vous y déconnecter d’abord.",
      notEnough:
        "En raison de vos rôles, la connexion avec le service de votre organisation ne suffit pas pour cette étape. Veuillez vous connecter avec votre mot de passe ou une clé d’accès.",
    },
    continue: {
      text: "Votre navigateur ouvre {{name}}. Si rien ne se passe, choisissez « Continuer ».",
      submit: "Continuer",
    },
    failed: {
      title: "La connexion avec {{name}} a échoué",
      unreachable:
        "{{name}} est injoignable pour le moment. Veuillez réessayer plus tard ou vous connecter d’une autre manière.",
      refused:
        "La connexion avec {{name}} n’est pas configurée correctement. Veuillez contacter votre administrateur ou vous connecter d’une autre manière.",
      invalid:
        "La réponse de {{name}} n’a pas pu être vérifiée. Veuillez réessayer ou vous connecter d’une autre manière.",
      tooLarge:
        "La réponse de {{name}} est trop volumineuse. Veuillez vous adresser à votre administrateur ou vous connecter autrement.",
      back: "Retour à la connexion",
    },
    unknown: {
      title: "Compte pas encore lié",
      text: "Votre compte chez {{name}} n’est pas encore lié à un compte chez {{org}}.",
      link: "J’ai déjà un compte",
      linkHint:
        "Si vous avez déjà un compte, connectez-vous une fois avec celui-ci. Vous pourrez ensuite vous connecter des deux manières.",
      register: "Créer un nouveau compte",
      closed: "Ce compte ne permet pas de se connecter ici. Demandez à votre administrateur de le lier.",
    },
    unsolicited: {
      title: "Se connecter avec {{name}}\u202f?",
      text: "{{name}} vous a envoyé ici pour vous connecter. Continuez uniquement si c’est ce que vous vouliez et si ce compte est le vôtre. Sinon, fermez cette page.",
      id: "Identifiant du compte",
      replaces: "Une autre personne est connectée dans ce navigateur. Si vous continuez, elle sera déconnectée.",
      submit: "Continuer",
    },
    linked: {
      title: "Vos comptes sont maintenant liés",
      text: "{{name}} a confirmé votre adresse {{email}}. Votre compte chez {{name}} est donc lié à votre compte ici, et vous pouvez désormais vous connecter avec lui. Si vous ne vous y attendiez pas, supprimez ce lien sur la page de votre compte.",
      submit: "Continuer",
    },
    register: {
      title: "Créez votre compte",
      text: "Veuillez vérifier les informations fournies par {{name}}.",
      firstName: "Prénom",
      lastName: "Nom",
      email: "Adresse e\u2011mail",
      submit: "Créer le compte",
      foreignAddress:
        "Un nom d’utilisateur avec @ ou un numéro de téléphone doit être votre propre adresse ou numéro confirmé.",
      taken: "Ce nom d’utilisateur est déjà utilisé. Veuillez en choisir un autre.",
      invalid: "Cette information est manquante ou n’est pas valide.",
    },
    linkNotice: "Connectez-vous au compte que vous souhaitez lier à votre compte chez {{name}}.",
    confirm: {
      title: "Lier votre compte chez {{name}}\u202f?",
      text: "Vous pourrez désormais vous connecter ici avec votre compte chez {{name}}.",
      external: "Autre compte",
      submit: "Lier les comptes",
      skip: "Continuer sans lier",
      failed: "Les comptes n’ont pas pu être liés. Veuillez réessayer ou continuer sans lier.",
    },
  },
};
