import type { EN_IDPS } from "../en/idps.ts";

const REGISTER = "Enregistrez-y Signet. Vous obtenez un ID client et un secret client.";
const CALLBACK = "Saisissez-y cette URL, exactement telle quelle.";

export const FR_IDPS: typeof EN_IDPS = {
  title: "Fournisseurs",
  ofInstance: "Fournisseurs de l’instance",
  idp: "Fournisseur",
  add: "Ajouter un fournisseur",
  none: "Aucun fournisseur pour l’instant. Avec un fournisseur, les utilisateurs se connectent avec un compte qu’ils ont ailleurs.",
  owner: "Appartient à",
  instance: "l’instance",
  org: "l’organisation",
  kinds: {
    google: {
      name: "Google",
      before: `${REGISTER} Dans la console Google Cloud\u00a0: Credentials, OAuth client ID, type Web application.`,
      after: `${CALLBACK} Dans le client OAuth\u00a0: Authorized redirect URIs.`,
    },
    microsoft: {
      name: "Microsoft Entra ID",
      before: `${REGISTER} Dans le centre d’administration Entra\u00a0: App registrations, New registration.`,
      after: `${CALLBACK} Dans l’inscription d’application\u00a0: Authentication, Web, Redirect URIs.`,
    },
    apple: {
      name: "Apple",
      before:
        "Dans Apple Developer, créez un Services ID, dont l’identifiant est l’ID client, et une clé pour Sign in with Apple.",
      after: `${CALLBACK} Dans le Services ID\u00a0: Sign in with Apple, Configure, Return URLs.`,
    },
    github: {
      name: "GitHub",
      before: `${REGISTER} Chez GitHub\u00a0: Settings, Developer settings, OAuth Apps.`,
      after: `${CALLBACK} Dans l’OAuth App\u00a0: Authorization callback URL.`,
    },
    githubServer: {
      name: "GitHub Enterprise Server",
      before: `${REGISTER} Sur le serveur\u00a0: Settings, Developer settings, OAuth Apps.`,
      after: `${CALLBACK} Dans l’OAuth App\u00a0: Authorization callback URL.`,
    },
    gitlab: {
      name: "GitLab.com",
      before: `${REGISTER} Chez GitLab\u00a0: Preferences, Applications, avec les scopes openid, profile et email.`,
      after: `${CALLBACK} Dans l’application\u00a0: Redirect URI.`,
    },
    gitlabServer: {
      name: "GitLab autogéré",
      before: `${REGISTER} Là\u00a0: Preferences, Applications, avec les scopes openid, profile et email.`,
      after: `${CALLBACK} Dans l’application\u00a0: Redirect URI.`,
    },
    oidc: {
      name: "OpenID Connect",
      before: REGISTER,
      after: `${CALLBACK} Elle peut y être appelée URI de redirection.`,
    },
    oauth: {
      name: "OAuth 2.0",
      before: REGISTER,
      after: `${CALLBACK} Elle peut y être appelée URI de redirection.`,
    },
    saml: {
      name: "SAML 2.0",
      before: "Exportez les métadonnées du fournisseur, ou copiez leur URL.",
      after:
        "Faites importer au fournisseur les métadonnées de Signet depuis la première URL, ou saisissez-y les deux URL.",
    },
  },
  settings: "Paramètres",
  urls: "URL pour le fournisseur",
  draftText: "Il est ajouté sans paramètres et désactivé. Sa page contient alors les URL que le fournisseur demande.",
  steps: "URL, paramètres, test, activation",
  guide: "Les étapes dans le guide (en anglais)",
  callback: "URL de rappel",
  entityId: "Métadonnées, ID d’entité",
  acs: "Service consommateur d’assertions (ACS)",
  offer: {
    title: "Proposer",
    text: "Les utilisateurs ne voient pas encore le fournisseur. Proposez-le lorsque la connexion d’essai montre ce que vous attendez.",
    button: "Proposer sur la page de connexion",
    done: (name) => `La page de connexion propose ${name}`,
  },
  check: {
    title: "Test",
    signIn: "Essayer la connexion (nouvel onglet)",
    signInHint:
      "Montre ce que le fournisseur dit d’un compte et ce qu’une connexion ferait. Personne n’est connecté et rien n’est enregistré. Montre aussi si le fournisseur accepte le secret et l’URL.",
    draft: "Enregistrez d’abord les paramètres.",
    hint: "Signet charge ce que le fournisseur publie, comme lors d’une connexion, et le compare aux paramètres. Personne n’est connecté.",
    button: "Tester le fournisseur",
    running: "Test en cours…",
    good: "Aucun problème n’a été trouvé.",
    goodSoFar: "Aucun problème n’a été trouvé dans ce qui peut être testé.",
    bad: "Les utilisateurs ne peuvent pas se connecter avec ce fournisseur.",
    warnings: "Avertissements",
    scopes: "Scopes indiqués par le fournisseur",
    again: "Corrigez cela dans les paramètres ou chez le fournisseur, puis testez de nouveau.",
  },
  nameHint: "Les utilisateurs le voient sur le bouton de la page de connexion.",
  keepSecret: "Laissez ce champ vide pour conserver la valeur enregistrée.",
  fields: {
    clientId: { label: "ID client" },
    clientSecret: {
      label: "Secret client",
      hint: "Il est enregistré sous forme chiffrée et n’est plus jamais affiché.",
    },
    issuer: {
      label: "Émetteur",
      hint: "Ses métadonnées sont à cette URL, suivie de /.well-known/openid-configuration.",
    },
    scopes: {
      label: "Scopes demandés",
      hint: "Séparés par des espaces. Sans indication, Signet demande ceux dont il a besoin.",
    },
    authorizationEndpoint: { label: "Point de terminaison d’autorisation" },
    tokenEndpoint: { label: "Point de terminaison des jetons" },
    userEndpoint: {
      label: "Point de terminaison de l’utilisateur",
      hint: "Renvoie les données de l’utilisateur en JSON.",
    },
    idAttribute: {
      label: "Champ contenant l’ID de l’utilisateur",
      hint: "Dans les données de l’utilisateur, par exemple id ou data.id.",
    },
    usePkce: { label: "Code challenge (PKCE)", hint: "Recommandé, sauf si le fournisseur le refuse." },
    isIdTokenMapping: {
      label: "Lire uniquement le jeton d’ID",
      hint: "Signet n’interroge pas le point de terminaison userinfo.",
    },
    requireAuthTime: {
      label: "Exiger l’heure d’authentification",
      hint: "Si une application envoie max_age. Sinon, il suffit que le fournisseur ait été prié de redemander la connexion.",
    },
    trustEmail: {
      label: "Faire confiance à ses adresses",
      hint: "Elles comptent comme confirmées, sauf si le fournisseur dit le contraire. Uniquement s’il les fait confirmer.",
    },
    tenant: { label: "Qui peut se connecter" },
    tenantId: { label: "Locataire (tenant)", hint: "Son ID, ou un nom de domaine." },
    emailVerified: {
      label: "Les adresses sont confirmées",
      hint: "Uniquement pour un seul locataire qui les fait confirmer\u00a0: ses administrateurs peuvent définir n’importe quelle adresse.",
    },
    userIdAttribute: {
      label: "Les utilisateurs sont liés par",
      hint: "Les liens d’une importation ont l’ID d’objet. Une connexion modifie un lien qui a l’autre.",
    },
    teamId: { label: "ID d’équipe" },
    keyId: { label: "ID de clé" },
    privateKey: {
      label: "Clé privée",
      hint: "Le contenu du fichier .p8. Il est enregistré sous forme chiffrée et n’est plus jamais affiché.",
    },
    metadataUrl: {
      label: "URL des métadonnées",
      hint: "Signet les charge une fois, lors de l’enregistrement.",
    },
    metadataXml: { label: "Métadonnées (XML)", hint: "À la place de l’URL." },
    binding: { label: "Les demandes sont envoyées" },
    nameIdFormat: { label: "Nom des utilisateurs", hint: "Il identifie l’utilisateur." },
    transientMappingAttributeName: {
      label: "Attribut contenant l’ID de l’utilisateur",
      hint: "Un attribut que les utilisateurs ne peuvent pas modifier eux-mêmes.",
    },
    withSignedRequest: { label: "Signer les demandes" },
    allowIdpInitiated: {
      label: "Les connexions peuvent commencer chez le fournisseur",
      hint: "La personne doit confirmer chacune d’elles. Il est plus sûr de commencer dans l’application.",
    },
    isLinkingAllowed: {
      label: "Lier des utilisateurs existants",
      hint: "Les utilisateurs non liés peuvent se connecter à un compte ici et le lier.",
    },
    isCreationAllowed: {
      label: "Inscrire de nouveaux utilisateurs",
      hint: "Les utilisateurs non liés peuvent s’inscrire avec un formulaire.",
    },
    isAutoCreation: {
      label: "Inscrire sans formulaire",
      hint: "Si le fournisseur envoie tout ce qui est nécessaire.",
    },
    isAutoUpdate: {
      label: "Tenir à jour les noms et les adresses",
      hint: "Chaque connexion reprend ce qui a changé chez le fournisseur.",
    },
    isAutoLinking: {
      label: "Lier par l’adresse sans demander",
      hint: "Le fournisseur peut se connecter en tant que tout utilisateur dont il confirme l’adresse. Uniquement pour un fournisseur à qui vous faites confiance pour confirmer les adresses.",
    },
  },
  tenants: {
    common: "Toute personne ayant un compte Microsoft",
    organisations: "Utilisateurs d’organisations",
    consumers: "Utilisateurs ayant un compte personnel",
    single: "Utilisateurs d’un seul locataire",
  },
  userIdAttributes: ["sub, qui diffère pour chaque inscription d’application", "ID d’objet et locataire (oid)"],
  bindings: ["Selon ses métadonnées", "Par un formulaire (HTTP-POST)", "Par une redirection (HTTP-Redirect)"],
  nameIdFormats: ["Indifférent", "Adresse e-mail", "Persistant", "Transitoire"],
  options: "Utilisateurs non liés",
  actions: {
    deactivate: {
      label: "Désactiver",
      text: "La page de connexion ne le propose plus. Les liens avec lui sont conservés.",
    },
    remove: {
      label: "Supprimer",
      text: "Le fournisseur et tous les liens avec lui seront supprimés\u00a0: les utilisateurs sans autre moyen de connexion n’auront plus accès. Cette action est irréversible.",
    },
  },
};
