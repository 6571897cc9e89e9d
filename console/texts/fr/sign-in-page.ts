import type { EN_SIGN_IN_PAGE } from "../en/sign-in-page.ts";

export const FR_SIGN_IN_PAGE: typeof EN_SIGN_IN_PAGE = {
  title: { org: "Page de connexion", instance: "Page de connexion de l’instance" },
  inherited: {
    org: "L’organisation a l’apparence de l’instance.",
    instance: "L’instance a l’apparence de Signet. Les organisations sans apparence propre l’ont aussi.",
  },
  isActive: "Les pages et les e-mails ont cette apparence.",
  notActive: "Enregistrée comme brouillon\u00a0: les utilisateurs voient encore l’apparence précédente.",
  activate: "Publier",
  draft: "Brouillon",
  live: "Ce que voient les utilisateurs",
  unreadable: {
    light: "Les liens de cette couleur seraient illisibles sur les pages claires.",
    dark: "Les liens de cette couleur seraient illisibles sur les pages sombres.",
  },
  useNearest: (color) => `Utiliser ${color}, la couleur lisible la plus proche`,
  reset: { org: "Utiliser l’apparence de l’instance", instance: "Utiliser l’apparence de Signet" },
  stale:
    "Une autre personne a modifié ces paramètres entre-temps. Rien n’a été enregistré. Rechargez la page pour voir la modification.",
  branding: "Apparence",
  fields: {
    name: "Nom",
    primaryColor: "Couleur",
    primaryColorDark: "Couleur sur les pages sombres",
    supportAddress: "Adresse pour les questions",
    termsUrl: "Conditions d’utilisation",
    privacyUrl: "Politique de confidentialité",
    watermark: "Mentionner Signet",
  },
  images: "Images",
  imagesHint: "Fichiers PNG ou SVG de 512\u202f000 octets au plus.",
  imagesLater: "Enregistrez d’abord un paramètre de l’apparence. Vous pourrez ensuite ajouter des images.",
  imageNames: {
    logo: "Logo",
    logoDark: "Logo sur les pages sombres",
    icon: "Icône",
    iconDark: "Icône en mode sombre",
  },
  upload: "Importer",
  login: "Moyens de connexion",
  loginHint: {
    org: "Les modifications s’appliquent dès qu’elles sont enregistrées.",
    instance:
      "Les modifications s’appliquent dès qu’elles sont enregistrées, dans toutes les organisations sans politique propre.",
  },
  loginInherited:
    "L’organisation a la politique de l’instance. Dès qu’une modification est enregistrée, elle en a une propre.",
  groups: {
    ways: "Ce que propose la page",
    password: "Noms d’utilisateur et mots de passe",
    security: "Sécurité",
  },
  settings: {
    allowUsernamePassword: "Mot de passe",
    allowPasskeys: "Clé d’accès",
    allowExternalIdp: "Fournisseurs",
    redirectToOnlyIdp: "Ouvrir aussitôt un fournisseur s’il est le seul moyen de connexion",
    allowRegister: "Autoriser l’inscription",
    allowDomainDiscovery: "Le domaine de l’adresse détermine l’organisation",
    hidePasswordReset: "Proposer «\u00a0Oublié\u202f?\u00a0» pour un nouveau mot de passe",
    disableLoginWithEmail: "Accepter l’adresse e-mail comme nom d’utilisateur",
    disableLoginWithPhone: "Accepter le numéro de téléphone comme nom d’utilisateur",
    forceMfa: "Exiger un deuxième facteur",
    forceMfaLocalOnly: "L’exiger seulement pour les connexions sans fournisseur",
    disableNewDeviceNotice: "Envoyer un e-mail en cas de connexion depuis un nouvel appareil",
  },
  forceMfaFrom: "Exigé à partir du",
  forceMfaFromHint:
    "D’ici là, les utilisateurs sont invités à configurer un deuxième facteur et peuvent le reporter. Sans date, immédiatement.",
  lifetimes: "Durée d’une connexion",
  lifetimesHint: "De 5 minutes à 30 jours. Sans nombre, aussi longtemps qu’une session.",
  lifetime: {
    passwordCheckLifetime: { label: "Avec un mot de passe" },
    externalLoginCheckLifetime: { label: "Avec un fournisseur" },
    secondFactorCheckLifetime: { label: "Avec un code à usage unique" },
    multiFactorCheckLifetime: { label: "Avec une clé d’accès" },
    mfaInitSkipLifetime: {
      label: "Proposer de nouveau une clé d’accès après",
      hint: "Aux utilisateurs qui n’ont pas voulu en ajouter. 3\u202f650 jours au plus\u202f; avec 0, jamais.",
    },
  },
  defaultRedirectUri: "Page de destination",
  defaultRedirectUriHint:
    "Après une connexion qu’aucune application n’a demandée. Si ce champ est vide, la page du compte.",
  resetLogin: "Utiliser la politique de l’instance",
  loginReset: "La politique de l’instance s’applique",
  preview: "Aperçu",
  openPreview: "Ouvrir dans un nouvel onglet",
  previewHint: "Il montre ce qui est enregistré.",
  sizes: { label: "Taille", phone: "Téléphone", computer: "Ordinateur" },
};
