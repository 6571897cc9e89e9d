import { createHash, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { readPem } from "../config/read-pem.ts";
import { type Config, ConfigError } from "../config.ts";
import type { PortCertificate } from "../http/listener.ts";

export type CertificateFiles = NonNullable<Config["tls"]>;

/** A certificate that matches its key. */
export interface Certificate extends PortCertificate {
  readonly validFrom: Date;
  readonly expiresAt: Date;
}

/** @throws ConfigError if the files cannot be read, or are not a certificate and its key. */
export function readCertificate(files: CertificateFiles): Certificate {
  return parseCertificate(files, {
    cert: readPem("TLS_CERT_FILE", files.certFile),
    key: readPem("TLS_KEY_FILE", files.keyFile),
  });
}

/** @param pair The contents of the files. @throws ConfigError if they are not a certificate and its key. */
export function parseCertificate({ certFile, keyFile }: CertificateFiles, pair: PortCertificate): Certificate {
  try {
    createSecureContext(pair);
    const { validFrom, validTo } = new X509Certificate(pair.cert);
    return { ...pair, validFrom: new Date(validFrom), expiresAt: new Date(validTo) };
  } catch (error) {
    const got = `got "${certFile}" and "${keyFile}" (${error instanceof Error ? error.message : error})`;
    throw new ConfigError(
      `TLS_CERT_FILE or TLS_KEY_FILE is invalid: expected a PEM certificate and its private key, ${got}`,
    );
  }
}

/** Equal for pairs with the same contents. */
export function fingerprint({ cert, key }: PortCertificate): string {
  return createHash("sha256").update(`${cert.length} `).update(cert).update(key).digest("base64");
}
