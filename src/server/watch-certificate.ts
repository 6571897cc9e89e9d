import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { PortCertificate } from "../http/listener.ts";
import { type Certificate, type CertificateFiles, fingerprint, parseCertificate } from "./certificate.ts";

/** How often the files are read. A change takes effect within twice this time. */
const INTERVAL_MS = 5_000;
const DAY_MS = 86_400_000;
/** The log warns this long before the expiry, or for the last third of the lifetime if that is shorter. */
const WARNING_MS = 14 * DAY_MS;

export interface CertificateWatch {
  /** Reads the files and the clock once. Never rejects. */
  check(): Promise<void>;
  start(): void;
  stop(): void;
}

/**
 * Replaces the certificate when its files change, and logs that it expires soon or has expired.
 *
 * A change takes effect when two consecutive reads return the same contents, because the files may be written one after
 * another, and in parts. Contents that are not a certificate and its key are logged once, and the previous certificate
 * remains in use.
 *
 * @param first The certificate in use.
 * @param use Called with each later certificate.
 */
export function watchCertificate({
  files,
  first,
  use,
  clock,
  log,
}: {
  readonly files: CertificateFiles;
  readonly first: Certificate;
  readonly use: (certificate: Certificate) => void;
  readonly clock: Clock;
  readonly log: Logger;
}): CertificateWatch {
  const reportExpiry = createExpiryReport(clock, log);
  let current = first;
  /** The contents of the previous read, and the contents last used or reported. */
  let previous = fingerprint(first);
  let settled = previous;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function check(): Promise<void> {
    const pair = await readPair(files);
    const found = pair instanceof Error ? pair.message : fingerprint(pair);
    const isStable = found === previous;
    previous = found;
    if (found === fingerprint(current)) settled = found;
    if (isStable && found !== settled && !isStopped) {
      settled = found;
      replace(pair);
    }
    reportExpiry(current);
  }

  function replace(pair: PortCertificate | Error): void {
    try {
      if (pair instanceof Error) throw pair;
      const next = parseCertificate(files, pair);
      use(next);
      current = next;
      log.info({ expiresAt: next.expiresAt }, "certificate replaced");
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const { expiresAt } = current;
      log.warn({ problem, expiresAt }, "the changed certificate cannot be used, the previous one stays in use");
    }
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      await check();
      if (!isStopped) schedule();
    }, INTERVAL_MS).unref();
  }

  return {
    check,
    start() {
      reportExpiry(current);
      schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function readPair({ certFile, keyFile }: CertificateFiles): Promise<PortCertificate | Error> {
  try {
    const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
    return { cert, key };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Logs each state of a certificate immediately, then once per day. */
function createExpiryReport(clock: Clock, log: Logger): (certificate: Certificate) => void {
  let reported: { readonly certificate: Certificate; readonly state: string; readonly at: number } | undefined;
  return (certificate) => {
    const { validFrom, expiresAt } = certificate;
    const now = clock().getTime();
    const leftMs = expiresAt.getTime() - now;
    const warningMs = Math.min(WARNING_MS, (expiresAt.getTime() - validFrom.getTime()) / 3);
    if (leftMs > warningMs) return;
    const state = leftMs > 0 ? "expires soon" : "has expired";
    if (reported?.certificate === certificate && reported.state === state && now - reported.at < DAY_MS) return;
    reported = { certificate, state, at: now };
    log[leftMs > 0 ? "warn" : "error"]({ expiresAt }, `the certificate ${state}`);
  };
}
