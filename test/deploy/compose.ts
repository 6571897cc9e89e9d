import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The parts of a service in compose.yaml that the tests read. */
export interface ComposeService {
  readonly image: string;
  readonly user: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
  readonly [key: string]: unknown;
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

export const COMPOSE_FILE = "deploy/compose.yaml";

/** Reads compose.yaml, with variables substituted for `${NAME:-default}`. */
export function readCompose(variables: Readonly<Record<string, string>> = {}): Compose {
  const text = readFileSync(COMPOSE_FILE, "utf8").replace(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, standard: string) => variables[name] ?? standard,
  );
  return parse(text, { merge: true });
}
