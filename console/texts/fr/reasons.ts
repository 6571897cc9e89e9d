import type { Reasons } from "../en/reasons.ts";
import { toRules } from "../rules.ts";

export const FR_REASONS: Reasons = {
  TOKEN_MISSING: "Vous êtes déconnecté. Reconnectez-vous.",
  TOKEN_INVALID: "Votre connexion a pris fin. Reconnectez-vous.",
  PERMISSION_DENIED: "Vous n’en avez pas l’autorisation. Un propriétaire peut vous attribuer un rôle qui l’inclut.",
  ORG_NOT_FOUND: "Cette organisation n’existe pas ou a été supprimée. Choisissez-en une autre en haut.",
  USER_NOT_FOUND:
    "Cet utilisateur n’existe pas dans l’organisation ou a été supprimé. Consultez la liste des utilisateurs.",
  IDP_NOT_FOUND: "Ce fournisseur n’existe pas ou a été supprimé. Consultez la liste des fournisseurs.",
  APP_NOT_FOUND: "Cette application n’existe pas ou a été supprimée. Consultez la liste des applications.",
  APP_ROLE_NOT_FOUND: "L’application n’a plus ce rôle. Rechargez la page pour voir ses rôles.",
  API_NOT_FOUND: "Cette API n’existe pas ou a été supprimée. Consultez la liste des API.",
  API_IDENTIFIER_TAKEN: "Une autre API a cet identifiant. Choisissez-en un autre.",
  TOKEN_NOT_FOUND: "Le jeton a déjà été supprimé. Rechargez la page.",
  PASSKEY_NOT_FOUND: "La clé d’accès a déjà été supprimée. Rechargez la page.",
  PASSKEY_TAKEN: "Cette clé d’accès est déjà enregistrée pour un utilisateur.",
  IDP_LINK_NOT_FOUND: "Le lien a déjà été supprimé. Rechargez la page.",
  ORG_STATE: "Une autre personne a modifié l’état de l’organisation. Rechargez la page.",
  ORG_PROTECTED: "L’organisation par défaut ne peut être ni désactivée ni supprimée.",
  ORG_NAME_TAKEN: "Une autre organisation porte ce nom. Choisissez-en un autre.",
  EXTERNAL_ID_TAKEN:
    "Un autre utilisateur de l’organisation a cette valeur d’external_id. Recherchez-le dans la liste des utilisateurs.",
  SUBJECT_TAKEN: "Un autre utilisateur a ce sujet (sub).",
  METADATA_NOT_FOUND: "La valeur a déjà été supprimée. Rechargez la page.",
  OTP_NOT_FOUND: "Les codes à usage unique ont déjà été désactivés. Rechargez la page.",
  MESSAGE_NOT_FOUND: "Le message n’est plus enregistré. Rechargez la page.",
  MESSAGE_STATE: "Le message est en cours d’envoi ou a déjà été envoyé. Rechargez la page.",
  METADATA_LIMIT: "L’utilisateur a autant de métadonnées qu’il peut en avoir. Supprimez d’abord une valeur.",
  TOO_MANY_PROVIDER_CHECKS: "Des fournisseurs ont été testés trop souvent. Patientez une minute et réessayez.",
  TOO_MANY_WEBHOOK_CHECKS: "Trop d’événements de test ont été envoyés pendant cette heure. Réessayez à la suivante.",
  USER_NAME_TAKEN: "Il existe déjà un utilisateur avec ce nom ou cette adresse.",
  EMAIL_TAKEN:
    "Un autre utilisateur de l’organisation se connecte avec cette adresse. Recherchez-le dans la liste des utilisateurs.",
  PHONE_TAKEN:
    "Un autre utilisateur de l’organisation se connecte avec ce numéro. Recherchez-le dans la liste des utilisateurs.",
  IDP_LINK_TAKEN: "Un autre utilisateur de l’organisation est lié à ce compte. Supprimez d’abord ce lien.",
  MEMBER_EXISTS: "L’utilisateur a déjà un rôle. Modifiez-le dans la liste.",
  MEMBER_NOT_FOUND: "L’utilisateur n’a plus de rôle. Rechargez la page.",
  LAST_OWNER: "C’est le dernier propriétaire. Attribuez d’abord le rôle de propriétaire à une autre personne.",
  POLICY_EXISTS: "Une autre personne a enregistré des paramètres entre-temps. Rechargez la page.",
  POLICY_NOT_FOUND: "Une autre personne a réinitialisé ces paramètres entre-temps. Rechargez la page.",
  PHONE_NOT_FOUND: "L’utilisateur n’a pas de numéro de téléphone. Rechargez la page.",
  USER_STATE:
    "L’utilisateur est désormais verrouillé, inactif ou actif, ce qui ne le permet pas. Rechargez la page pour voir l’état.",
  IDP_STATE: "Une autre personne a modifié l’état du fournisseur. Rechargez la page.",
  IDP_HAS_LINKS:
    "Des utilisateurs sont liés à ce fournisseur\u202f; ce qui les identifie ne peut donc pas changer. Ajoutez un autre fournisseur.",
  OWN_USER:
    "Vous ne pouvez pas vous verrouiller, vous désactiver ou vous supprimer vous-même, ni modifier vos propres rôles. Un autre propriétaire le peut.",
  ONLY_WAY_IN:
    "L’utilisateur n’a pas d’autre moyen de se connecter. Envoyez d’abord un lien pour définir un mot de passe.",
  APP_STATE: "Une autre personne a modifié l’état de l’application. Rechargez la page.",
  APP_WITHOUT_SECRET: "Les applications de ce type n’ont pas de secret.",
  WEBHOOK_NOT_FOUND: "Ce webhook n’existe pas ou a été supprimé. Consultez la liste des webhooks.",
  WEBHOOK_STATE: "Une autre personne a modifié l’état du webhook. Rechargez la page.",
  WEBHOOK_DELIVERY_NOT_FOUND: "La livraison n’est plus enregistrée. Actualisez la liste.",
  WEBHOOK_DELIVERY_IN_PROGRESS: "L’événement est en cours d’envoi. Actualisez la liste dans un instant.",
  TOO_MANY_WEBHOOKS: "L’organisation a 20 webhooks et ne peut pas en avoir plus. Supprimez-en d’abord un.",
  TOO_MANY_SCIM_CONNECTIONS:
    "L’organisation a 20 connexions SCIM et ne peut pas en avoir plus. Supprimez-en d’abord une.",
  PHONE_VERIFIED: "Le numéro est déjà confirmé. Rechargez la page.",
  RECIPIENT_NOT_VERIFIED:
    "L’adresse ou le numéro n’est pas confirmé\u202f; aucun lien n’y est donc envoyé. Confirmez-le d’abord.",
  SMS_PROVIDER_MISSING: "Aucun SMS ne peut être envoyé. L’opérateur du service doit définir SMS_PROVIDER.",
  MAIL_SERVER_MISSING: "Aucun e-mail ne peut être envoyé. L’opérateur du service doit définir SMTP_URL.",
  TOO_MANY_MESSAGES:
    "L’utilisateur a déjà reçu plusieurs messages de ce type. Patientez une minute, ou une heure pour les liens de mot de passe.",
  INVALID_ARGUMENT: "Une valeur saisie n’est pas acceptée.",
  BODY_TOO_LARGE:
    "C’est plus que ce que le service accepte en une fois. Utilisez un fichier plus petit ou un texte plus court.",
  REQUEST_TIMEOUT: "La connexion est trop lente. Réessayez.",
  TOO_MANY_REQUESTS: "Il y a eu trop de demandes. Patientez un instant et réessayez.",
  PATH_NOT_FOUND: "La page et le service n’ont pas la même version. Rechargez la page.",
  SERVICE_UNKNOWN: "La page et le service n’ont pas la même version. Rechargez la page.",
  METHOD_UNKNOWN: "La page et le service n’ont pas la même version. Rechargez la page.",
  ABORTED: "Une autre personne a fait une modification au même moment. Réessayez.",
  UNAVAILABLE: "Le service est occupé ou redémarre. Réessayez dans un instant.",
  DEADLINE_EXCEEDED: "Le service a mis trop de temps. Réessayez dans un instant.",
  INTERNAL:
    "Une erreur s’est produite dans le service. Réessayez, et communiquez à l’opérateur le numéro de la requête.",
};

export const FR_RULES = toRules({
  empty: "ne doit pas être vide",
  required: "est obligatoire",
  tooShort: "doit comporter au moins $1 caractères, en comporte $2",
  tooLong: "doit comporter au plus $1 caractères, en comporte $2",
  tooManyBytes: "doit comporter au plus $1 octets, en comporte $2",
  tooManyItems: "doit comporter au plus $1 éléments, en comporte $2",
  checkLifetime: "doit être compris entre 5 minutes et 30 jours",
  skipLifetime: "doit être compris entre 0 et 3\u202f650 jours",
  repeated: "figure déjà plus haut",
  noDomain: "doit avoir un nom de domaine comme $1 après le @",
  notEventType: "doit être le type d’un événement, par exemple $1",
  noUri: "doit avoir au moins une URI",
});
