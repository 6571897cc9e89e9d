import { print } from "./print.ts";

interface NewApp {
  readonly clientId: string;
  /** Empty for an application without one. */
  readonly clientSecret: string;
  readonly ownerId: string | undefined;
}

/** Prints a new application with its secret, which cannot be shown again. */
export function printNewApp(asJson: boolean, { clientId, clientSecret, ownerId }: NewApp): void {
  print(asJson, { clientId, ...(clientSecret && { clientSecret }), ownerId }, [
    `client id:     ${clientId}`,
    ...(clientSecret ? [`client secret: ${clientSecret}`] : []),
  ]);
}
