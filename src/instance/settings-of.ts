import type { Config } from "../config.ts";

/** A variable of the configuration and its value in effect, as text. */
interface Setting {
  readonly name: string;
  readonly value: string;
}

/**
 * The variables that a person with a role in the instance may see. Each is named here, so that no new variable is shown
 * without a decision: none is a secret, a URL with a password, or a path.
 */
export function settingsOf(config: Config): readonly Setting[] {
  const values = {
    PUBLIC_URL: config.publicUrl,
    HOST: config.host,
    PORT: config.port,
    CORS_ORIGINS: config.corsOrigins.join(", "),
    TRUSTED_PROXIES: config.trustedProxies.join(", "),
    MAX_CONNECTIONS: config.maxConnections,
    MAX_CONNECTIONS_PER_ADDRESS: config.maxConnectionsPerAddress,
    MAX_ANONYMOUS_REQUESTS: config.maxAnonymousRequests,
    MAX_BODY_BYTES: config.maxBodyBytes,
    REQUEST_TIMEOUT_MS: config.requestTimeoutMs,
    DATABASE_POOL_SIZE: config.databasePoolSize,
    DATABASE_PREPARED: config.databasePrepared,
    MIGRATE_ON_START: config.migrateOnStart,
    RETENTION_DAYS: config.retentionDays,
    PASSWORD_HASH: config.passwordHash,
    BCRYPT_COST: config.bcryptCost,
    HASH_THREADS: config.hashThreads,
    WEBAUTHN_RP_ID: config.webauthnRpId,
    PASSKEY_OFFER: config.passkeyOffer,
    ACCOUNT_DELETION: config.accountDeletion,
    IDP_ALLOW_PRIVATE_NETWORKS: config.idpAllowPrivateNetworks,
    CLIENT_METADATA_HOSTS: config.clientMetadataHosts.join(", "),
    EMAIL_FROM: config.emailFrom,
    SMS_PROVIDER: config.sms?.kind,
    METRICS_PORT: config.metrics?.port,
    LOG_LEVEL: config.logLevel,
    SHUTDOWN_DELAY_MS: config.shutdownDelayMs,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value ?? "") }));
}
