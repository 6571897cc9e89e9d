import type { KoaContextWithOIDC } from "oidc-provider";

/** Provider middleware. Keeps the request id in the response to a failure, whose other headers Koa removes. */
export async function keepRequestId(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const id = ctx.response.get("x-request-id");
  try {
    await next();
  } catch (error) {
    if (error instanceof Error) {
      const { headers } = error as { headers?: Record<string, string> };
      Object.assign(error, { headers: { ...headers, "x-request-id": id } });
    }
    throw error;
  }
}
