import type { Texts } from "../en/en.ts";

export const NOTICES: Texts["messages"]["notices"] = {
  kinds: {
    "password-changed": {
      subject: "Votre mot de passe a été modifié",
      occasion: "Le mot de passe de votre compte sur {{host}} a été modifié.",
    },
    "email-changed": {
      subject: "Votre adresse e-mail a été modifiée",
      occasion: "Une autre adresse e-mail a été enregistrée pour votre compte sur {{host}}.",
    },
    "phone-changed": {
      subject: "Votre numéro de téléphone a été modifié",
      occasion: "Un nouveau numéro de téléphone a été enregistré pour votre compte sur {{host}}.",
    },
    "phone-removed": {
      subject: "Votre numéro de téléphone a été supprimé",
      occasion: "Le numéro de téléphone de votre compte sur {{host}} a été supprimé.",
    },
    "one-time-codes-added": {
      subject: "Les codes à usage unique ont été activés",
      occasion:
        "Des codes à usage unique d’une application d’authentification ont été activés pour votre compte sur {{host}}.",
    },
    "one-time-codes-removed": {
      subject: "Les codes à usage unique ont été désactivés",
      occasion:
        "Votre compte sur {{host}} ne demande plus de codes à usage unique d’une application d’authentification.",
    },
    "recovery-codes-replaced": {
      subject: "Vos codes de secours ont été remplacés",
      occasion:
        "De nouveaux codes de secours ont été créés pour votre compte sur {{host}}. Les anciens ne sont plus valables.",
    },
    "recovery-code-used": {
      subject: "Un code de secours a été utilisé",
      occasion: "Un code de secours de votre compte sur {{host}} a été utilisé. Il n’est désormais plus valable.",
    },
    "passkey-added": {
      subject: "Une clé d’accès a été ajoutée",
      occasion: "Une clé d’accès a été ajoutée à votre compte sur {{host}}.",
    },
    "passkey-removed": {
      subject: "Une clé d’accès a été supprimée",
      occasion: "Une clé d’accès de votre compte sur {{host}} a été supprimée.",
    },
    "provider-linked": {
      subject: "Un nouveau moyen de connexion a été ajouté",
      occasion: "Votre compte sur {{host}} a été associé à un compte chez un autre fournisseur.",
    },
    "provider-unlinked": {
      subject: "Un moyen de connexion a été supprimé",
      occasion: "Votre compte sur {{host}} n’est plus associé à un compte chez un autre fournisseur.",
    },
    "new-device": {
      subject: "Nouvelle connexion à votre compte",
      occasion: "Quelqu’un s’est connecté à votre compte sur {{host}} avec un appareil encore inconnu.",
    },
  },
  byOther: "Un administrateur ou une application est à l’origine de ce changement.",
  time: "Date et heure\u00a0: {{time}}",
  browser: "Navigateur\u00a0: {{names}}",
  advice:
    "S’il s’agit bien de vous, vous n’avez rien à faire. Sinon, connectez-vous immédiatement, modifiez votre mot de passe et vérifiez votre compte. Si vous ne pouvez pas vous connecter, choisissez «\u00a0Oublié\u202f?\u00a0» sur la page de connexion.",
  adviceWithoutLink:
    "S’il s’agit bien de vous, vous n’avez rien à faire. Sinon, contactez immédiatement votre administrateur\u00a0: la nouvelle adresse permet de définir un nouveau mot de passe.",
  button: "Vérifier mon compte",
};
