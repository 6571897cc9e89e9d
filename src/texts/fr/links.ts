import type { Texts } from "../en/en.ts";

export const LINKS: Texts["links"] = {
  init: {
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
    otherUser: {
      text: "Un autre compte est connecté dans ce navigateur. Pour utiliser le vôtre, déconnectez-le d’abord.",
      open: "Ouvrir l’autre compte",
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
    taken: {
      title: "Cette adresse ne peut pas être confirmée",
      text: "C’est le nom d’utilisateur d’un autre compte. Adressez-vous à votre administrateur.",
    },
    outdated: {
      title: "Ce lien n’est plus valide",
      text: "Il a été envoyé à une adresse e\u2011mail que le compte n’utilise plus.",
    },
    finished: {
      title: "Il n’y a plus rien à faire",
      text: "Ce lien a déjà été utilisé ou n’est plus nécessaire. Vous pouvez fermer cette fenêtre.",
    },
    sendOffer: "Si vous avez besoin d’un nouveau lien, nous pouvons l’envoyer à {{recipient}}.",
    send: "Envoyer un nouveau lien",
    contactAdministrator: "Si vous avez besoin d’un nouveau lien, veuillez contacter votre administrateur.",
    sent: {
      title: "Un nouveau lien est en route",
      text: "Il a été envoyé à {{recipient}}. Les liens précédents ne fonctionnent plus. Vous pouvez fermer cette fenêtre.",
      again: "Vous pourrez demander le suivant {{delay}}.",
    },
    tooOften: {
      title: "Veuillez patienter un instant",
      text: "Nous vous avons déjà envoyé des liens\u202f; vérifiez aussi vos courriers indésirables. Le prochain lien pourra être envoyé {{delay}}.",
    },
  },
  newEmail: {
    text: "Elle remplacera alors l’adresse actuelle de votre compte.",
    changesName: "L’utiliser aussi comme nom d’utilisateur",
    title: "Adresse modifiée",
    changed: "L’adresse de votre compte est maintenant {{address}}.",
    nameChanged: "C’est aussi votre nom d’utilisateur désormais.",
    nameTaken: "Votre nom d’utilisateur reste le même, car une autre personne utilise cette adresse.",
    used: { title: "Lien déjà utilisé", text: "L’adresse a déjà été modifiée avec ce lien." },
    over: { title: "Lien expiré", text: "Veuillez demander un nouveau lien sur la page de votre compte." },
    toAccount: "Ouvrir votre compte",
  },
  phone: {
    confirm: {
      title: "Confirmez votre numéro de téléphone",
      text: "Saisissez le code à six chiffres que nous vous avons envoyé par SMS.",
    },
    name: "Nom",
    number: "Numéro de téléphone",
    endingIn: "le numéro se terminant par {{digits}}",
    digits: "Code",
    digitsRule: "Six chiffres, par exemple 123 456",
    errors: {
      malformed: "Le code comporte six chiffres. Veuillez les saisir tous.",
      wrong: {
        one: "Ce code est incorrect. Il vous reste une tentative.",
        other: "Ce code est incorrect. Il vous reste {{left}} tentatives.",
      },
    },
    confirmButton: "Confirmer",
    ended: {
      title: "Trop de tentatives incorrectes",
      text: "Pour votre sécurité, ce code ne fonctionne plus, même si vous le saisissez correctement.",
    },
    tooMany: {
      title: "Trop de codes incorrects",
      text: "Pour votre sécurité, aucun code n’est plus accepté pour le moment. Vous pourrez réessayer avec un nouveau code {{delay}}.",
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
    taken: {
      title: "Ce numéro ne peut pas être confirmé",
      text: "C’est le nom d’utilisateur d’un autre compte. Adressez-vous à votre administrateur.",
    },
    outdated: {
      title: "Ce lien n’est plus valide",
      text: "Il a été envoyé à un numéro de téléphone que le compte n’utilise plus.",
    },
    finished: {
      title: "Il n’y a plus rien à faire",
      text: "Votre numéro de téléphone est confirmé. Vous pouvez fermer cette fenêtre.",
    },
    sendOffer: "Si vous avez besoin d’un nouveau code, nous pouvons l’envoyer vers {{recipient}}.",
    send: "Envoyer un nouveau code",
    contactAdministrator: "Si vous avez besoin d’un nouveau code, veuillez contacter votre administrateur.",
    sent: {
      title: "Un nouveau code est en route",
      text: "Il a été envoyé vers {{recipient}}. Ouvrez le lien du nouveau SMS\u202f; les codes précédents ne fonctionnent plus.",
      again: "Vous pourrez demander le suivant {{delay}}.",
    },
    tooOften: {
      title: "Veuillez patienter un instant",
      text: "Nous vous avons déjà envoyé des codes, et un SMS peut mettre un moment à arriver. Le prochain code pourra être envoyé {{delay}}.",
    },
  },
  passkey: {
    title: "Configurer une clé d’accès",
    intro:
      "Avec une clé d’accès (passkey), vous vous connectez sans mot de passe\u00a0: avec votre empreinte digitale, votre visage, un code PIN ou une clé de sécurité.",
    account: "Nom",
    userName: "Nom d’utilisateur",
    create: "Configurer la clé d’accès",
    hint: "En cas de problème, vous pouvez réessayer. Une fois la clé d’accès configurée, le lien n’est plus valide.",
    needsScript:
      "Cette page nécessite JavaScript, car les navigateurs ne peuvent créer des clés d’accès qu’au moyen d’un script. Veuillez activer JavaScript ou ouvrir le lien dans un autre navigateur.",
    outcomes: {
      waiting: "Veuillez suivre les instructions de votre navigateur.",
      canceled:
        "Aucune clé d’accès n’a été configurée\u00a0: l’opération a été annulée ou a pris trop de temps. Vous pouvez réessayer.",
      exists:
        "Cet appareil possède déjà une clé d’accès pour votre compte. Vous pouvez en configurer une nouvelle sur un autre appareil ou sur une clé de sécurité.",
      browserUnsupported:
        "Ce navigateur ne peut pas créer de clé d’accès ici. Veuillez ouvrir le lien dans une version récente de Chrome, Edge, Firefox ou Safari.",
      deviceUnsupported:
        "Cet appareil ne peut pas créer la clé d’accès. Veuillez définir un verrouillage de l’écran ou un code PIN, ou utiliser un autre appareil ou une clé de sécurité.",
      wrongHost:
        "Aucune clé d’accès ne peut être créée à cette adresse. Veuillez ouvrir le lien exactement tel que vous l’avez reçu.",
      unreachable: "Le service n’a pas pu être joint. Veuillez vérifier votre connexion et réessayer.",
      failed: "L’opération n’a pas abouti. Veuillez réessayer.",
    },
    done: {
      title: "Votre clé d’accès est configurée",
      text: "Vous pouvez désormais l’utiliser pour vous connecter. Vous pouvez fermer cette page.",
    },
    used: {
      title: "Ce lien a déjà été utilisé",
      text: "Une clé d’accès a été configurée avec ce lien. Si ce n’était pas vous, prévenez immédiatement votre administrateur.",
    },
    expired: {
      title: "Ce lien a expiré",
      text: "Il était valable une heure. Veuillez demander un nouveau lien à votre administrateur.",
    },
    replaced: {
      title: "Il existe un lien plus récent",
      text: "Veuillez ouvrir le lien le plus récent que vous avez reçu.",
    },
    "not-begun": "L’opération a pris trop de temps, ou la page est ouverte plusieurs fois. Veuillez réessayer.",
    taken: "Cette clé d’accès est déjà enregistrée. Veuillez utiliser un autre appareil ou une autre clé de sécurité.",
    refused: "La clé d’accès n’a pas pu être vérifiée et n’a pas été enregistrée. Veuillez réessayer.",
  },
  reset: {
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
  next: {
    title: "Continuer vers {{host}}\u202f?",
    text: "Ce lien mène à un autre site, {{host}}. Ne continuez que si vous le connaissez et souhaitez y aller.",
    button: "Continuer",
  },
  firstAdministrator: {
    missing: {
      title: "Ce service n’a pas encore d’administrateur",
      text: "Le service affiche un lien au démarrage. Ouvrez ce lien pour créer le premier administrateur.",
    },
    newLink: "Pour afficher un nouveau lien, exécutez cette commande là où le service fonctionne\u00a0:",
    signIn: "J’ai un compte\u00a0: me connecter",
    create: {
      title: "Créer le premier administrateur",
      text: "Vous aurez toutes les autorisations et vous vous connecterez avec votre adresse e\u2011mail et ce mot de passe.",
      button: "Créer l’administrateur",
    },
    taken: "Il existe déjà un utilisateur avec cette adresse. Veuillez en utiliser une autre.",
    over: {
      title: "Ce lien ne fonctionne plus",
      text: "Il a expiré, a déjà été utilisé ou a été copié incomplètement.",
    },
  },
};
