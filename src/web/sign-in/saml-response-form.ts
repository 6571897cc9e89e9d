import { bodyTooLarge, SignetError } from "../../errors.ts";
import { findParameterError } from "../../http/find-parameter-error.ts";
import type { PageRequest } from "../frame/page.ts";

/** A response of 1 MiB in Base64 with line breaks, percent-encoded. */
const MAX_BYTES = 2 * 2 ** 20;
/** Of the other fields. */
const MAX_OTHERS = 8 * 1_024;
const RESPONSE = "SAMLResponse=";

/** The form with which a SAML provider sends a response. */
export interface SamlResponseForm {
  readonly relayState: string;
  /** Percent-encoded, because decoding and copying a large one takes 20 to 100 ms. The thread that reads it does so. */
  readonly response: string;
}

/**
 * Reads the form.
 *
 * @returns Undefined if it is too large.
 * @throws SignetError INVALID_ARGUMENT, and those of `readBody` except BODY_TOO_LARGE.
 */
export async function readSamlResponseForm(request: PageRequest): Promise<SamlResponseForm | undefined> {
  const body = await readUpTo(request, MAX_BYTES);
  if (body === undefined) return undefined;
  const text = body.toString("latin1");
  const start = text.startsWith(RESPONSE) ? 0 : text.indexOf(`&${RESPONSE}`) + 1;
  const isFound = text.startsWith(RESPONSE, start);
  const end = isFound ? (text.indexOf("&", start) + 1 || text.length + 1) - 1 : 0;
  const others = isFound ? text.slice(0, start) + text.slice(end + 1) : text;
  if (others.length > MAX_OTHERS) throw bodyTooLarge(MAX_OTHERS);
  const problem = findParameterError(others);
  if (problem !== undefined) throw problem;
  const response = isFound ? text.slice(start + RESPONSE.length, end) : "";
  // What is not printable ASCII is neither Base64 nor percent-encoded.
  const isPlain = /^[!-~]*$/.test(response);
  return { relayState: new URLSearchParams(others).get("RelayState") ?? "", response: isPlain ? response : "!" };
}

async function readUpTo(request: PageRequest, maxBytes: number): Promise<Buffer | undefined> {
  try {
    return await request.readBody(maxBytes);
  } catch (error) {
    if (error instanceof SignetError && error.reason === "BODY_TOO_LARGE") return undefined;
    throw error;
  }
}
