import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import {
  type Certificate,
  type CertificateFiles,
  type CertificatePair,
  fingerprint,
  parseCertificate,
} from "./certificate.ts";

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
  let current = first;
  /** The contents of the previous read, and the contents last used or reported. */
  let previous = fingerprint(first);
  let settled = previous;
  let reported: { readonly state: string; readonly at: number } | undefined;
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
    reportExpiry();
  }

  function replace(pair: CertificatePair | Error): void {
    try {
      if (pair instanceof Error) throw pair;
      const next = parseCertificate(files, pair);
      use(next);
      current = next;
      reported = undefined;
      log.info({ expiresAt: next.expiresAt }, "certificate replaced");
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const { expiresAt } = current;
      log.warn({ problem, expiresAt }, "the changed certificate cannot be used, the previous one stays in use");
    }
  }

  /** Logs each state immediately, then once per day. */
  function reportExpiry(): void {
    const { validFrom, expiresAt } = current;
    const now = clock().getTime();
    const leftMs = expiresAt.getTime() - now;
    const warningMs = Math.min(WARNING_MS, (expiresAt.getTime() - validFrom.getTime()) / 3);
    if (leftMs > warningMs) return;
    const state = leftMs > 0 ? "expires soon" : "has expired";
    if (reported?.state === state && now - reported.at < DAY_MS) return;
    reported = { state, at: now };
    log[leftMs > 0 ? "warn" : "error"]({ expiresAt }, `the certificate ${state}`);
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
      reportExpiry();
      schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function readPair({ certFile, keyFile }: CertificateFiles): Promise<CertificatePair | Error> {
  try {
    const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
    return { cert, key };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
