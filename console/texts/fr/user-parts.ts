import type { EN_CONTACT, EN_FAILED_SIGN_INS, EN_MACHINE, EN_TOKENS } from "../en/user-parts.ts";

export const FR_CONTACT: typeof EN_CONTACT = {
  title: "Téléphone et confirmation",
  phoneHint: "avec l’indicatif du pays, par exemple +41\u00a044\u00a0668\u00a018\u00a000",
  isVerified: "Le numéro est confirmé\u202f; ne pas envoyer de SMS",
  resendSms: "Renvoyer le SMS",
  removePhone: "Supprimer le numéro",
  verifyEmail: "Envoyer un e-mail pour confirmer l’adresse",
  markVerified: "Marquer l’adresse comme confirmée",
};

export const FR_MACHINE: typeof EN_MACHINE = { name: "Nom", description: "Description" };

export const FR_FAILED_SIGN_INS: typeof EN_FAILED_SIGN_INS = {
  title: "Échecs de connexion des 7 derniers jours",
  unknownNetwork: "Réseau inconnu",
  lastHour: "la dernière fois dans l’heure suivant le",
  password: "Mots de passe incorrects",
  oneTimeCode: "Codes à usage unique incorrects",
  passkey: "Clés d’accès refusées",
};

export const FR_TOKENS: typeof EN_TOKENS = {
  title: "Jetons d’accès personnels",
  add: "Créer un jeton",
  added: "Le jeton a été créé",
  token: "Jeton",
  created: "Créé",
  expires: "Expire",
  neverExpires: "N’expire pas",
  lastUsed: "Dernière utilisation",
  neverUsed: "Pas encore utilisé",
  until: "Dernier jour",
  untilHint: "vide pour un jeton qui n’expire pas",
};
