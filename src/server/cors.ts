import { cors as connectCors } from "@connectrpc/connect";
import cors from "cors";
import type { Request, Response } from "./http-exchange.ts";

/** Headers of answers that scripts in a browser may read, beside those of gRPC-Web and Connect. */
const EXPOSED_HEADERS = ["deprecation", "www-authenticate", "x-request-id"];

/**
 * Lets scripts of other origins call (Fetch standard, CORS protocol): answers preflight requests itself, and calls `next`
 * for all others. Tokens travel in a header, never in a cookie, so that credentials are not allowed.
 *
 * @param origins Allowed origins; `*` means any. Without any, browsers are told nothing, and refuse.
 */
export function createCors(
  origins: readonly string[],
): (request: Request, response: Response, next: () => void) => void {
  if (origins.length === 0) return (_request, _response, next) => next();
  return cors({
    origin: origins.includes("*") ? "*" : [...origins],
    methods: ["GET", "POST", "PUT"],
    allowedHeaders: [...connectCors.allowedHeaders, "authorization", "x-service-orgid"],
    exposedHeaders: [...connectCors.exposedHeaders, ...EXPOSED_HEADERS],
    maxAge: 7_200,
  });
}
