import type { Texts } from "../en/en.ts";
import { NOTICES } from "./notices.ts";

export const MESSAGES: Texts["messages"] = {
  email: {
    greeting: "Bonjour,",
    greetingByName: "Bonjour {{name}},",
    occasion: "Un compte a été créé pour vous sur {{host}}.",
    occasionIn: "{{org}} a créé un compte pour vous sur {{host}}.",
    invitation: {
      subject: "{{inviter}} vous invite à rejoindre {{org}}",
      occasion: "{{inviter}} a créé un compte pour vous sur {{host}}.",
    },
    changed: "Cette adresse a été enregistrée pour votre compte sur {{host}}.",
    confirm: {
      subject: "Confirmez votre adresse e-mail",
      request:
        "Veuillez confirmer que cette adresse e-mail est bien la vôtre. Si vous n’avez pas encore de mot de passe, vous pourrez en définir un sur la même page.",
      button: "Confirmer l’adresse e-mail",
    },
    setPassword: {
      subject: "Définissez votre mot de passe",
      request: "Vous pouvez maintenant définir un mot de passe pour ce compte.",
      button: "Définir le mot de passe",
    },
    confirmNew: {
      subject: "Confirmez votre nouvelle adresse e-mail",
      request: "Veuillez confirmer qu’elle est bien la vôtre.",
      button: "Confirmer l’adresse e-mail",
    },
    userName: "Votre nom d’utilisateur\u00a0: {{userName}}",
    openLink: "Pour cela, ouvrez ce lien\u00a0:",
    copyLink: "Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:",
    validity: "Ce lien est valable {{hours}} heures à compter de l’envoi de cet e-mail.",
    sentTo: "Cet e-mail a été envoyé à {{address}}.",
    unexpected: "Vous n’attendiez pas cet e-mail\u202f? Vous pouvez simplement l’ignorer.",
  },
  passwordReset: {
    subject: "Choisissez un nouveau mot de passe",
    occasion: "Un nouveau mot de passe a été demandé pour votre compte sur {{host}}.",
    request: "Vous pouvez maintenant en choisir un. D’ici là, votre mot de passe actuel reste valable.",
    button: "Choisir un nouveau mot de passe",
    validity: "Ce lien est valable une heure à compter de l’envoi de cet e-mail.",
  },
  registration: {
    registration: {
      subject: "Terminez la création de votre compte",
      occasion: "Quelqu’un, probablement vous, souhaite créer un compte avec cette adresse sur {{host}}.",
      request: "Veuillez confirmer que l’adresse est la vôtre et choisir comment vous connecter.",
      button: "Créer le compte",
    },
    "registration-taken": {
      subject: "Vous avez déjà un compte",
      occasion: "Quelqu’un, probablement vous, souhaite créer un compte avec cette adresse sur {{host}}.",
      request:
        "Il en existe déjà un. Vous pouvez vous en servir pour vous connecter\u202f; si vous avez oublié votre mot de passe, choisissez-en un nouveau sur la même page.",
      button: "Se connecter",
    },
  },
  registrationFor: "Ce compte permet de se connecter à {{app}}.",
  signInCode: {
    subject: "Votre code de connexion",
    occasion: "Quelqu’un, probablement vous, se connecte à {{host}} et a demandé ce code\u00a0:",
    advice: "Saisissez-le dans les 15 minutes sur la page où vous l’avez demandé. Ne le communiquez à personne.",
  },
  notices: NOTICES,
  sms: "Votre code : {{code}}, valable 1 heure",
  resetSms: "Choisissez un nouveau mot de passe sous 1 heure :",
};
