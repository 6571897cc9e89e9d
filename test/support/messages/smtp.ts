import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { until } from "../until.ts";

/** The response to a step of SMTP: undefined accepts it, `drop` closes the connection. */
export type Answer = { readonly code: number; readonly text: string } | "drop" | undefined;

export type Step = "connect" | "auth" | "mail" | "rcpt" | "data";

/** An email as received, and its recipient. */
export interface Arrived {
  readonly to: string;
  readonly email: Email;
}

/** A real SMTP server on a local port. */
export interface TestSmtp {
  readonly port: number;
  readonly url: string;
  /** The accepted emails, in order of arrival. */
  readonly arrived: Arrived[];
  /** The response to each step; the response to `data` is sent after the whole message. */
  readonly answers: Partial<Record<Step, (about: string) => Answer>>;
  /** Awaited before the response to a message. */
  hold: Promise<void> | undefined;
  /** Number of messages whose response is held. */
  readonly holding: number;
  /** Number of connections so far, and the largest number of messages at the same time. */
  readonly seen: { connections: number; most: number; secure: number };
  arrivals(count: number): Promise<Arrived[]>;
  close(): Promise<void>;
}

/** @param options The options of `smtp-server`, and `port`. */
export async function startSmtp({
  port = 0,
  ...options
}: SMTPServerOptions & { port?: number } = {}): Promise<TestSmtp> {
  const answers: TestSmtp["answers"] = {};
  let holding = 0;
  const seen = { connections: 0, most: 0, secure: 0 };
  const answer = (step: Step, about: string, connectionId: string, next: (error?: Error | null) => void) => {
    const said = answers[step]?.(about);
    if (said === undefined) return next();
    if (said === "drop") return drop(server, connectionId);
    return next(Object.assign(new Error(said.text), { responseCode: said.code }));
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure || options.key ? [] : ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect({ id }, next) {
      seen.connections++;
      answer("connect", "", id, next);
    },
    onAuth({ username = "" }, { id }, next) {
      answer("auth", username, id, (error) => next(error, { user: username }));
    },
    onMailFrom: ({ address }, { id }, next) => answer("mail", address, id, next),
    onRcptTo: ({ address }, { id }, next) => answer("rcpt", address, id, next),
    async onData(stream, { id, envelope, secure }, next) {
      const to = envelope.rcptTo.map(({ address }) => address).join();
      const chunks: Buffer[] = [];
      const { hold } = smtp;
      seen.most = Math.max(seen.most, ++holding);
      try {
        for await (const chunk of stream) chunks.push(chunk);
        await hold;
      } catch {
        // Its client was killed.
        return;
      } finally {
        holding--;
      }
      const raw = Buffer.concat(chunks);
      const email = await PostalMime.parse(raw);
      answer("data", raw.toString(), id, (error) => {
        if (!error) smtp.arrived.push({ to, email });
        if (secure) seen.secure++;
        next(error);
      });
    },
    ...options,
  });
  // Tests check client errors on the client side.
  server.on("error", () => {});
  await new Promise<void>((resolve, reject) => server.listen(port, "127.0.0.1", resolve).once("error", reject));
  const { port: taken } = server.server.address() as AddressInfo;
  const smtp: TestSmtp = {
    port: taken,
    url: `${options.secure ? "smtps" : "smtp"}://127.0.0.1:${taken}`,
    arrived: [],
    answers,
    hold: undefined,
    get holding() {
      return holding;
    },
    seen,
    async arrivals(count) {
      await until(`${count} emails have arrived`, () => smtp.arrived.length >= count);
      return smtp.arrived;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}

function drop(server: SMTPServer, connectionId: string): void {
  for (const connection of server.connections as Set<{ id: string; _socket: { destroy(): void } }>) {
    if (connection.id === connectionId) connection._socket.destroy();
  }
}

/** A self-signed certificate for this machine, created in a folder; undefined without openssl. */
export function createCertificate(folder: string): { cert: Buffer; key: Buffer; certFile: string } | undefined {
  const [certFile, keyFile] = [join(folder, "smtp-cert.pem"), join(folder, "smtp-key.pem")];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", keyFile, "-out", certFile];
  try {
    execFileSync("openssl", ["req", "-x509", "-days", "2", ...curve, ...name, ...files], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return { cert: readFileSync(certFile), key: readFileSync(keyFile), certFile };
}
