import { importAda, VERIFIED } from "../browsers/visitor.ts";
import type { DatabaseKind } from "../databases/database.ts";
import { startService, type TestService } from "../servers/service.ts";
import { createRelyingParty, type RelyingParty } from "./relying-party.ts";

/** A service with an application, and a user with a verified address who can sign in to it. */
export interface TestProvider {
  readonly service: TestService;
  readonly app: RelyingParty;
  readonly userId: string;
}

/** @param options `environment`: see `startService`. `app`: see `createRelyingParty`. */
export async function startProvider(
  kind: DatabaseKind,
  { environment, app }: { environment?: Record<string, string>; app?: Parameters<typeof createRelyingParty>[1] } = {},
): Promise<TestProvider> {
  const service = await startService(kind, environment);
  return { service, app: await createRelyingParty(service, app), userId: await importAda(service, VERIFIED) };
}
