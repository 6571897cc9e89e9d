import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findOwner } from "./postgres-programs.ts";

/** Paths of PEM files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for one test. Requires `openssl`. */
export interface Authority {
  readonly cert: string;
  /** Issues a certificate for a host name, or for a user of PostgreSQL. */
  issue(name: string): Certificate;
}

export const hasOpenssl = (() => {
  try {
    openssl(["version"]);
    return true;
  } catch {
    return false;
  }
})();

/** The options of openssl for a new key without a passphrase. */
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** @param folder The folder to create, accessible to all users, because PostgreSQL may run as another user. */
export function createAuthority(folder: string): Authority {
  mkdirSync(folder, { mode: 0o755, recursive: true });
  const file = (name: string) => join(folder, name);
  const [cert, key] = [file("ca.pem"), file("ca.key")];
  openssl(["req", "-x509", "-days", "2", ...NEW_KEY, "-subj", "/CN=Test CA", "-keyout", key, "-out", cert]);
  return {
    cert,
    issue(name) {
      const own = { cert: file(`${name}.pem`), key: file(`${name}.key`) };
      const [request, extensions] = [file(`${name}.csr`), file(`${name}.cnf`)];
      writeFileSync(extensions, `subjectAltName=DNS:${name}`);
      openssl(["req", ...NEW_KEY, "-subj", `/CN=${name}`, "-keyout", own.key, "-out", request]);
      const signing = ["-CA", cert, "-CAkey", key, "-CAcreateserial", "-days", "2", "-extfile", extensions];
      openssl(["x509", "-req", "-in", request, ...signing, "-out", own.cert]);
      return own;
    },
  };
}

/** PostgreSQL runs as another user if this process runs as root, and does not accept keys that others can read. */
export function giveToPostgres(file: string): void {
  chmodSync(file, 0o600);
  const owner = findOwner();
  if (owner) chownSync(file, owner.uid, owner.gid);
}

function openssl(args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: "ignore" });
}
