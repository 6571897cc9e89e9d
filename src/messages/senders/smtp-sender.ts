import { toMailOptions } from "./mail-options.ts";
import { type Mail, SEND_LIMIT_MS, type Sender, type SendOutcome } from "./sender.ts";
import { urlCredentials } from "./url-credentials.ts";

/**
 * Commands whose replies apply to this message. A permanent one may concern the sender instead, but servers do not
 * report reliably which of the two. Replies to other commands apply to the client or the server.
 */
const COMMANDS_OF_MESSAGE: readonly unknown[] = ["RCPT TO", "DATA"];
/**
 * Reply codes that apply to the session, whatever the command: bad sequence of commands (RFC 5321), and TLS or
 * authentication required (RFC 3207, RFC 4954).
 */
const SESSION_REPLIES: readonly number[] = [503, 530];

/**
 * Sends emails over SMTP with a pool of at most five connections.
 *
 * `smtps:` uses implicit TLS, `smtp:` uses STARTTLS if the server offers it. An invalid certificate is rejected. With
 * credentials in the URL, TLS is required except on a loopback host: otherwise an attacker on the network could strip
 * STARTTLS and read the password.
 *
 * @param options `url` such as `smtp://user:password@mail.example.com:587`; `from` is EMAIL_FROM.
 */
export function createSmtpSender({ url, from }: { url: string; from: string }): Sender<Mail> {
  const parsed = new URL(url);
  const { protocol, hostname, port } = parsed;
  const host = hostname.replace(/^\[|\]$/g, "") || "localhost";
  const credentials = urlCredentials(parsed);
  const open = async () =>
    (await import("nodemailer")).createTransport({
      pool: true,
      host,
      ...(port !== "" && { port: Number(port) }),
      secure: protocol === "smtps:",
      requireTLS: credentials !== undefined && !isLoopback(host),
      ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
      tls: { rejectUnauthorized: true, minVersion: "TLSv1.2" },
      maxConnections: 5,
      // The queue retries. One immediate retry covers an idle connection that the server has closed.
      maxRequeues: 1,
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  // Loaded with the first email, because nodemailer takes 2 % of the startup time.
  let opened: ReturnType<typeof open> | undefined;
  return {
    async send(mail) {
      try {
        opened ??= open();
        const transport = await opened;
        await transport.sendMail({ ...toMailOptions(mail, from), signal: AbortSignal.timeout(SEND_LIMIT_MS) });
        return { kind: "sent" };
      } catch (error) {
        return toOutcome(error);
      }
    },
    close: () => void opened?.then((transport) => transport.close({ force: true })),
  };
}

function toOutcome(error: unknown): SendOutcome {
  const { message, code, command, response, responseCode } = error as {
    message?: string;
    code?: string;
    command?: string;
    response?: string;
    responseCode?: number;
  };
  if (code === "EABORT") return { kind: "failed", error: `SMTP: timed out after ${SEND_LIMIT_MS / 1_000} s` };
  if (response === undefined || responseCode === undefined) {
    const reason =
      response === undefined
        ? message
            ?.replace(/;.*/s, "")
            .replace(/[\s\p{Cc}]+/gu, " ")
            .slice(0, 200)
        : undefined;
    return { kind: "failed", error: `SMTP: ${reason ?? code ?? "unknown error"}` };
  }
  const [enhanced] = /(?<=^\d{3}[ -])\d\.\d{1,3}\.\d{1,3}\b/.exec(response) ?? [];
  const reply = enhanced === undefined ? `${responseCode}` : `${responseCode} ${enhanced}`;
  const isPermanent = responseCode >= 500 && responseCode < 600 && !SESSION_REPLIES.includes(responseCode);
  return {
    kind: isPermanent && COMMANDS_OF_MESSAGE.includes(command) ? "refused" : "failed",
    error: `SMTP: ${command ?? "the server"} returned ${reply}`,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
