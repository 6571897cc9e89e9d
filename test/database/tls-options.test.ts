import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeTlsError } from "../../src/database/tls-errors.ts";
import { readUrlOptions } from "../../src/database/tls-options.ts";

const URL = "postgres://signet:p%40ss@db.example.com:5433/signet";

test.each([
  [URL, { connectionString: URL }],
  [`${URL}?application_name=x`, { connectionString: `${URL}?application_name=x` }],
  [`${URL}?sslmode=disable`, { connectionString: URL, ssl: false }],
  [`${URL}?sslmode=require`, { connectionString: URL, ssl: { rejectUnauthorized: false } }],
  [`${URL}?sslmode=verify-full`, { connectionString: URL, ssl: {} }],
  [`${URL}?uselibpqcompat=true&sslmode=verify-full`, { connectionString: URL, ssl: {} }],
  [
    `${URL}?options=-c%20x&sslmode=require`,
    { connectionString: `${URL}?options=-c+x`, ssl: { rejectUnauthorized: false } },
  ],
  [
    "postgres:///signet?host=/run/db&sslmode=require",
    { connectionString: "postgres:///signet?host=%2Frun%2Fdb", ssl: false },
  ],
  [
    "postgres://u@%2Frun%2Fdb/signet?sslmode=verify-full",
    { connectionString: "postgres://u@%2Frun%2Fdb/signet", ssl: false },
  ],
])("reads the TLS parameters of %s", (url, options) => {
  expect(readUrlOptions(url)).toEqual(options);
});

const noPem = join(tmpdir(), `signet-no-pem-${process.pid}`);
writeFileSync(noPem, "not a certificate");
afterAll(() => rmSync(noPem));

test.each([
  [
    "sslmode=prefer",
    'expected sslmode to be one of disable, require, verify-ca, verify-full, got "prefer", which does not protect against an attacker on the network',
  ],
  ["sslmode=allow", /got "allow", which does not protect/],
  ["sslmode=no-verify", /got "no-verify"$/],
  ["sslmode=", /got ""$/],
  ["sslrootcert=/x.pem", "sslrootcert requires sslmode; expected one of disable, require, verify-ca, verify-full"],
  ["ssl=true", "the parameter ssl is not supported; use sslmode, sslrootcert, sslcert, sslkey"],
  ["sslmode=require&sslcrl=/x", /the parameter sslcrl is not supported/],
  ["sslmode=verify-ca", "sslmode=verify-ca requires sslrootcert"],
  ["sslmode=verify-ca&sslrootcert=system", "sslrootcert=system requires sslmode=verify-full"],
  ["sslmode=require&sslrootcert=system", "sslrootcert=system requires sslmode=verify-full"],
  ["sslmode=require&sslcert=/x.pem", "sslcert and sslkey require each other"],
  [
    "sslmode=verify-full&sslrootcert=/no/such.pem",
    /expected sslrootcert to be a PEM file of a certificate, got "\/no\/such.pem" \(ENOENT/,
  ],
  [`sslmode=verify-full&sslrootcert=${noPem}`, /expected sslrootcert to be a PEM file of a certificate, got ".*" \(/],
])("rejects ?%s", (query, problem) => {
  const message = typeof problem === "string" ? `DATABASE_URL is invalid: ${problem}` : problem;
  expect(() => readUrlOptions(`${URL}?${query}`)).toThrow(message);
});

test("reports no password with an invalid parameter", () => {
  expect(() => readUrlOptions(`${URL}?sslmode=x`)).not.toThrow(/p%40ss|p@ss/);
});

test.each([
  ["CERT_HAS_EXPIRED", "the server's certificate has expired (CERT_HAS_EXPIRED)"],
  ["CERT_NOT_YET_VALID", "the server's certificate is not valid yet (CERT_NOT_YET_VALID)"],
  ["INVALID_PURPOSE", "the TLS handshake failed (INVALID_PURPOSE)"],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", /^the TLS handshake failed/],
  ["ECONNREFUSED", undefined],
  ["ERR_INVALID_ARG_TYPE", undefined],
])("describes %s", (code, description) => {
  const described = describeTlsError(Object.assign(new Error("failed"), { code }));
  if (description instanceof RegExp) expect(described).toMatch(description);
  else expect(described).toBe(description);
});
