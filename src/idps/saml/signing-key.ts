import { createSign, generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { SigningKey } from "./saml-options.ts";

const BITS = 2_048;
const VALID_YEARS = 20;

/** Creates the key with which requests to one provider are signed, and its certificate, signed by the key itself. */
export async function createSigningKey(now: Date): Promise<string> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: BITS });
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + VALID_YEARS);
  const sha256WithRsa = sequence(oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), tlv(0x05));
  // CN=Signet
  const name = sequence(tlv(0x31, sequence(oid(0x55, 0x04, 0x03), tlv(0x0c, Buffer.from("Signet")))));
  const body = sequence(
    // A version 3 certificate with a positive serial number (RFC 5280, section 4.1).
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([0x01, ...randomBytes(15)])),
    sha256WithRsa,
    name,
    sequence(time(now), time(until)),
    name,
    publicKey.export({ format: "der", type: "spki" }),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const certificate = sequence(body, sha256WithRsa, tlv(0x03, Buffer.from([0]), signature));
  return `${privateKey.export({ format: "pem", type: "pkcs8" })}${toPem(certificate)}`;
}

/** Splits what `createSigningKey` returns. */
export function readSigningKey(pem: string): SigningKey {
  const at = pem.indexOf("-----BEGIN CERTIFICATE-----");
  return { privateKey: pem.slice(0, at), certificate: pem.slice(at) };
}

/** A value in DER (ITU-T X.690). */
function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const head = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), value]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function oid(...bytes: readonly number[]): Buffer {
  return tlv(0x06, Buffer.from(bytes));
}

/** UTCTime, and GeneralizedTime from 2050 on (RFC 5280, section 4.1.2.5). */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const isLate = date.getUTCFullYear() >= 2_050;
  return tlv(isLate ? 0x18 : 0x17, Buffer.from(`${isLate ? digits : digits.slice(2)}Z`));
}

function toPem(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
