import type { EN_NEW_USER } from "../en/new-user.ts";

export const FR_NEW_USER: typeof EN_NEW_USER = {
  way: "Première connexion",
  ways: { invite: "Inviter par e-mail", password: "Créer avec un mot de passe" },
  meanings: {
    invite: "Un lien mène à une page où l’utilisateur définit un mot de passe.",
    password: "Vous définissez le mot de passe et le donnez à l’utilisateur.",
  },
  isVerified: "L’adresse appartient bien à l’utilisateur\u202f; ne pas envoyer d’e-mail",
  role: "Rôle",
  noRole: "Aucun\u00a0: se connecte uniquement à des applications",
  noMachineRole: "Aucun\u00a0: appelle uniquement vos propres API",
  messages: "Messages",
  messageTexts: {
    invite: (address) => `${address || "L’utilisateur"} recevra une invitation par e-mail.`,
    confirm: (address) => `${address || "L’utilisateur"} recevra un e-mail pour confirmer l’adresse.`,
    sms: (phone) => `${phone} recevra un SMS pour confirmer le numéro, si le service envoie des SMS.`,
    none: "Personne ne recevra de message.",
  },
  withoutRole: "L’utilisateur a été ajouté, mais n’a pas reçu le rôle. Attribuez-le sur la page de l’utilisateur.",
};
