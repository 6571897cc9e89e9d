/** Node's errors for a certificate with an unknown issuer (Node documentation, "X509 certificate error codes"). */
const UNKNOWN_ISSUER = [
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
];

/** `pg`'s message when the server does not support encryption. */
const NO_TLS = /^The server does not support SSL connections/;

/** Describes an error of a TLS handshake with the database; undefined for any other error. */
export function describeTlsError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (NO_TLS.test(error.message)) return "the server does not support TLS; sslmode=disable connects without encryption";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (UNKNOWN_ISSUER.includes(code)) {
    return `no certificate authority in sslrootcert, or known to Node, has signed the server's certificate (${code})`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `the server's certificate is for another name: ${"reason" in error ? error.reason : error.message}`;
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return `the server's certificate ${code === "CERT_HAS_EXPIRED" ? "has expired" : "is not valid yet"} (${code})`;
  }
  if (/^There was an error establishing an SSL connection/.test(error.message)) return "the TLS handshake failed";
  const isTls = /^ERR_(TLS|SSL|OSSL)_|(^|_)(CERT|CRL|CA|SIGNATURE|HOSTNAME|PURPOSE|CHAIN)(_|$)/.test(code);
  return isTls ? `the TLS handshake failed (${code})` : undefined;
}
