import { execFileSync } from "node:child_process";
import { join } from "node:path";

export const hasOpenssl = (() => {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** A test that needs openssl; skipped with a note if it is missing. */
export const testWithOpenssl = (title: string, run: () => Promise<void>) =>
  hasOpenssl ? test(title, run) : test.skip(`${title} (skipped: openssl is missing)`, run);

/**
 * Creates a self-signed certificate, by default for `localhost`, and its key in `folder`. Returns the paths of the
 * files.
 */
export function createCertificate(
  folder: string,
  { days = 2, name = "cert", hosts = ["localhost"] }: { days?: number; name?: string; hosts?: readonly string[] } = {},
): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key.pem`)];
  const subject = ["-subj", `/CN=${hosts[0]}`, "-addext", `subjectAltName=${hosts.map((host) => `DNS:${host}`)}`];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", "-days", `${days}`, ...curve, ...subject, ...files], { stdio: "ignore" });
  return { cert, key };
}
