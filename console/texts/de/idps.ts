import type { EN_IDPS } from "../en/idps.ts";

const REGISTER = "Registrieren Sie Signet dort. Sie erhalten eine Client-ID und ein Client-Secret.";
const CALLBACK = "Tragen Sie dort diese URL ein, genau wie sie ist.";

export const DE_IDPS: typeof EN_IDPS = {
  title: "Anbieter",
  ofInstance: "Anbieter der Instanz",
  idp: "Anbieter",
  add: "Anbieter hinzufügen",
  none: "Noch keine Anbieter. Mit einem Anbieter melden sich Benutzer mit einem Konto an, das sie anderswo haben.",
  owner: "Gehört",
  instance: "der Instanz",
  org: "der Organisation",
  kinds: {
    google: {
      name: "Google",
      before: `${REGISTER} In der Google Cloud Console: Credentials, OAuth client ID, Typ Web application.`,
      after: `${CALLBACK} Im OAuth-Client: Authorized redirect URIs.`,
    },
    microsoft: {
      name: "Microsoft Entra ID",
      before: `${REGISTER} Im Entra Admin Center: App registrations, New registration.`,
      after: `${CALLBACK} In der App-Registrierung: Authentication, Web, Redirect URIs.`,
    },
    apple: {
      name: "Apple",
      before:
        "Legen Sie bei Apple Developer eine Services ID an, deren Identifier die Client-ID ist, und einen Schlüssel für Sign in with Apple.",
      after: `${CALLBACK} In der Services ID: Sign in with Apple, Configure, Return URLs.`,
    },
    github: {
      name: "GitHub",
      before: `${REGISTER} Bei GitHub: Settings, Developer settings, OAuth Apps.`,
      after: `${CALLBACK} In der OAuth App: Authorization callback URL.`,
    },
    githubServer: {
      name: "GitHub Enterprise Server",
      before: `${REGISTER} Auf dem Server: Settings, Developer settings, OAuth Apps.`,
      after: `${CALLBACK} In der OAuth App: Authorization callback URL.`,
    },
    gitlab: {
      name: "GitLab.com",
      before: `${REGISTER} Bei GitLab: Preferences, Applications, mit den Scopes openid, profile und email.`,
      after: `${CALLBACK} In der Anwendung: Redirect URI.`,
    },
    gitlabServer: {
      name: "Selbst betriebenes GitLab",
      before: `${REGISTER} Dort: Preferences, Applications, mit den Scopes openid, profile und email.`,
      after: `${CALLBACK} In der Anwendung: Redirect URI.`,
    },
    oidc: {
      name: "OpenID Connect",
      before: REGISTER,
      after: `${CALLBACK} Sie heißt dort vielleicht Redirect-URI.`,
    },
    oauth: {
      name: "OAuth 2.0",
      before: REGISTER,
      after: `${CALLBACK} Sie heißt dort vielleicht Redirect-URI.`,
    },
    saml: {
      name: "SAML 2.0",
      before: "Exportieren Sie die Metadaten des Anbieters, oder kopieren Sie deren URL.",
      after:
        "Lassen Sie den Anbieter die Metadaten von Signet von der ersten URL laden, oder tragen Sie dort beide ein.",
    },
  },
  settings: "Einstellungen",
  urls: "URLs für den Anbieter",
  draftText:
    "Er wird ohne Einstellungen und ausgeschaltet hinzugefügt. Seine Seite hat dann die URLs, die der Anbieter verlangt.",
  steps: "URLs, Einstellungen, Prüfung, Angebot",
  guide: "Die Schritte in der Anleitung (englisch)",
  callback: "Callback-URL",
  entityId: "Metadaten, Entity-ID",
  acs: "Assertion Consumer Service",
  offer: {
    title: "Anbieten",
    text: "Benutzer sehen den Anbieter noch nicht. Bieten Sie ihn an, sobald die Test-Anmeldung zeigt, was Sie erwarten.",
    button: "Auf der Anmeldeseite anbieten",
    done: (name) => `Die Anmeldeseite bietet ${name} an`,
  },
  check: {
    title: "Prüfung",
    signIn: "Anmeldung testen (neuer Tab)",
    signInHint:
      "Zeigt, was der Anbieter über ein Konto sagt und was eine Anmeldung bewirken würde. Niemand wird angemeldet und nichts gespeichert. Zeigt auch, ob der Anbieter Secret und URL akzeptiert.",
    draft: "Speichern Sie zuerst die Einstellungen.",
    hint: "Signet lädt wie bei einer Anmeldung, was der Anbieter veröffentlicht, und vergleicht es mit den Einstellungen. Niemand wird angemeldet.",
    button: "Anbieter prüfen",
    running: "Wird geprüft …",
    good: "Es wurden keine Probleme gefunden.",
    goodSoFar: "In dem, was geprüft werden kann, wurden keine Probleme gefunden.",
    bad: "Benutzer können sich mit diesem Anbieter nicht anmelden.",
    warnings: "Hinweise",
    scopes: "Scopes, die der Anbieter nennt",
    again: "Korrigieren Sie das in den Einstellungen oder beim Anbieter, und prüfen Sie erneut.",
  },
  nameHint: "Benutzer lesen ihn auf der Schaltfläche der Anmeldeseite.",
  keepSecret: "Leer lassen, um das gespeicherte zu behalten.",
  fields: {
    clientId: { label: "Client-ID" },
    clientSecret: { label: "Client-Secret", hint: "Es wird verschlüsselt gespeichert und nie wieder angezeigt." },
    issuer: { label: "Issuer-URL", hint: "Die Metadaten sind unter dieser URL mit /.well-known/openid-configuration." },
    scopes: { label: "Angeforderte Scopes", hint: "Durch Leerzeichen getrennt. Ohne fordert Signet die nötigen an." },
    authorizationEndpoint: { label: "Authorization-Endpunkt" },
    tokenEndpoint: { label: "Token-Endpunkt" },
    userEndpoint: { label: "User-Endpunkt", hint: "Liefert die Daten über den Benutzer als JSON." },
    idAttribute: {
      label: "Feld mit der ID des Benutzers",
      hint: "In den Daten über den Benutzer, etwa id oder data.id.",
    },
    usePkce: { label: "Code-Challenge (PKCE)", hint: "Empfohlen, außer der Anbieter lehnt sie ab." },
    isIdTokenMapping: { label: "Nur das ID-Token lesen", hint: "Signet fragt den Userinfo-Endpunkt nicht." },
    requireAuthTime: {
      label: "Zeitpunkt der Anmeldung verlangen",
      hint: "Wenn eine Anwendung max_age sendet. Sonst genügt, dass der Anbieter um eine neue Anmeldung gebeten wurde.",
    },
    trustEmail: {
      label: "Seinen Adressen vertrauen",
      hint: "Sie gelten als bestätigt, außer der Anbieter sagt das Gegenteil. Nur wenn er sie bestätigen lässt.",
    },
    tenant: { label: "Wer sich anmelden kann" },
    tenantId: { label: "Mandant (Tenant)", hint: "Seine ID oder ein Domainname." },
    emailVerified: {
      label: "Adressen sind bestätigt",
      hint: "Nur für einen einzelnen Mandanten, der sie bestätigt: Seine Verwalter können jede Adresse eintragen.",
    },
    userIdAttribute: {
      label: "Benutzer werden verknüpft über",
      hint: "Verknüpfungen aus einem Import enthalten die Objekt-ID. Eine Anmeldung ändert eine Verknüpfung, welche die andere enthält.",
    },
    teamId: { label: "Team-ID" },
    keyId: { label: "Schlüssel-ID" },
    privateKey: {
      label: "Privater Schlüssel",
      hint: "Der Inhalt der .p8-Datei. Er wird verschlüsselt gespeichert und nie wieder angezeigt.",
    },
    metadataUrl: { label: "URL der Metadaten", hint: "Signet lädt sie einmal, beim Speichern." },
    metadataXml: { label: "Metadaten (XML)", hint: "Anstelle der URL." },
    binding: { label: "Anfragen werden gesendet" },
    nameIdFormat: { label: "Name der Benutzer", hint: "Er identifiziert den Benutzer." },
    transientMappingAttributeName: {
      label: "Attribut mit der ID des Benutzers",
      hint: "Eines, das Benutzer nicht selbst ändern können.",
    },
    withSignedRequest: { label: "Anfragen signieren" },
    allowIdpInitiated: {
      label: "Anmeldungen dürfen beim Anbieter beginnen",
      hint: "Die Person wird gefragt, bevor eine gilt. Sicherer ist es, bei der Anwendung zu beginnen.",
    },
    isLinkingAllowed: {
      label: "Bestehende Benutzer verknüpfen",
      hint: "Wer nicht verknüpft ist, kann sich bei einem Konto hier anmelden und es verknüpfen.",
    },
    isCreationAllowed: {
      label: "Neue Benutzer registrieren",
      hint: "Wer nicht verknüpft ist, kann sich mit einem Formular registrieren.",
    },
    isAutoCreation: { label: "Ohne Formular registrieren", hint: "Wenn der Anbieter alles Nötige sendet." },
    isAutoUpdate: {
      label: "Namen und Adressen aktuell halten",
      hint: "Jede Anmeldung übernimmt, was sich beim Anbieter geändert hat.",
    },
    isAutoLinking: {
      label: "Ungefragt anhand der Adresse verknüpfen",
      hint: "Der Anbieter kann sich als jeder Benutzer anmelden, dessen Adresse er bestätigt. Nur für einen, dem Sie dabei vertrauen.",
    },
  },
  tenants: {
    common: "Alle mit einem Microsoft-Konto",
    organisations: "Benutzer von Organisationen",
    consumers: "Benutzer mit einem privaten Konto",
    single: "Benutzer eines Mandanten",
  },
  userIdAttributes: ["sub, das sich je App-Registrierung unterscheidet", "Objekt-ID und Mandant (oid)"],
  bindings: [
    "Wie seine Metadaten erlauben",
    "Mit einem Formular (HTTP-POST)",
    "Mit einer Weiterleitung (HTTP-Redirect)",
  ],
  nameIdFormats: ["Beliebig", "E-Mail-Adresse", "Dauerhaft (persistent)", "Wechselnd (transient)"],
  options: "Nicht verknüpfte Benutzer",
  actions: {
    deactivate: {
      label: "Deaktivieren",
      text: "Die Anmeldeseite bietet ihn nicht mehr an. Verknüpfungen bleiben erhalten.",
    },
    remove: {
      label: "Entfernen",
      text: "Der Anbieter und alle Verknüpfungen mit ihm werden entfernt: Wer sich nicht anders anmelden kann, ist ausgesperrt. Das kann nicht rückgängig gemacht werden.",
    },
  },
};
