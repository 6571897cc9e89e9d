import { isIP } from "node:net";
import { z } from "zod";

/** A whole number in a range. */
export function integer(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

/** `true` or `false`. */
export function boolean(): z.ZodType<boolean, string> {
  return z.enum(["true", "false"]).transform((text) => text === "true") as z.ZodType<boolean, string>;
}

/** Items separated by commas; white space around them is ignored. */
export function list<T>(item: z.ZodType<T, string>): z.ZodType<T[], string> {
  return z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item));
}

/** With the folder of a Unix socket in the parameter `host`, the host is empty: `postgres://user@/db?host=/path`. */
export function postgresUrl(): z.ZodType<string, string> {
  const schema = z.url({ protocol: /^postgres(ql)?$/ });
  const withHost = (text: string) => (/[?&]host=(\/|%2f)/i.test(text) ? text.replace("@/", "@localhost/") : text);
  return z.string().refine((text) => schema.safeParse(withHost(text)).success);
}

/** The origin of a URL without path. */
export function httpOrigin(): z.ZodType<string, string> {
  return (
    z
      .string()
      .transform((text) => URL.parse(text))
      .refine((parsed) => parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`)
      // An origin with a wildcard matches no request, because browsers send exact origins.
      .refine((parsed) => !parsed?.hostname.includes("*"))
      .transform((parsed) => parsed?.origin ?? "")
  );
}

/** 32 bytes in base64. */
export function masterKey(): z.ZodType<Buffer, string> {
  return z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=?$/)
    .transform((text) => Buffer.from(text, "base64"))
    .refine((key) => key.length === 32);
}

/** Whether a text is a host name and not an address. */
export function isDomain(text: string): boolean {
  return (
    isIP(text.replace(/^\[|\]$/g, "")) === 0 &&
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(text)
  );
}
