import type { Attack } from "./attack.ts";
import { passwords, wrongTokens } from "./attacks/calls.ts";
import { connectAndClose, idleConnections, zeroWindow } from "./attacks/connections.ts";
import { continuationFlood, hpackBomb, pingFlood, settingsFlood } from "./attacks/floods.ts";
import { hangPattern } from "./attacks/hang-pattern.ts";
import { cookieCrumbs, largeHeaders, longHeaderList } from "./attacks/large-headers.ts";
import { gzipBombs, largeLists, type Token } from "./attacks/large-lists.ts";
import { madeYouReset } from "./attacks/made-you-reset.ts";
import { neighbor } from "./attacks/neighbor.ts";
import { pagesAtLimit, pagesInFlight } from "./attacks/pages.ts";
import { consoleFiles, introspection, keysAndDevices, longForms, serviceTokens } from "./attacks/provider.ts";
import { rapidReset } from "./attacks/rapid-reset.ts";
import { samlResponses } from "./attacks/saml.ts";
import { slowBodies, slowHeads } from "./attacks/slow.ts";
import { watchStreams, webhooks } from "./attacks/tenant.ts";
import { WIRES } from "./client.ts";
import { KINDS } from "./requests.ts";

const TOKENS: readonly Token[] = ["valid", "unknown"];

/** All attacks by name. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  ...Object.fromEntries(KINDS.map((kind) => [`hang-${kind}`, hangPattern(kind)])),
  ...Object.fromEntries(KINDS.map((kind) => [`rapid-reset-${kind}`, rapidReset(kind)])),
  "made-you-reset": madeYouReset,
  "continuation-flood": continuationFlood,
  "hpack-bomb": hpackBomb,
  "settings-flood": settingsFlood,
  "ping-flood": pingFlood,
  "cookie-crumbs": cookieCrumbs,
  "large-headers": largeHeaders,
  "long-header-list": longHeaderList,
  "zero-window": zeroWindow,
  "connect-and-close": connectAndClose,
  "idle-connections": idleConnections,
  "slow-heads": slowHeads,
  "slow-bodies": slowBodies,
  ...Object.fromEntries(
    WIRES.flatMap((wire) => TOKENS.map((token) => [`large-lists-${wire}-${token}`, largeLists(wire, token)])),
  ),
  ...Object.fromEntries(
    (["grpc", "connect"] as const).flatMap((wire) =>
      TOKENS.map((token) => [`gzip-bombs-${wire}-${token}`, gzipBombs(wire, token)]),
    ),
  ),
  passwords,
  neighbor,
  "pages-at-limit": pagesAtLimit,
  "pages-in-flight": pagesInFlight,
  "service-tokens": serviceTokens,
  introspection,
  "keys-and-devices": keysAndDevices,
  "console-files": consoleFiles,
  "long-forms": longForms,
  "saml-responses": samlResponses,
  "watch-streams": watchStreams,
  webhooks,
  "wrong-tokens-grpc": wrongTokens("grpc"),
  "wrong-tokens-rest": wrongTokens("rest"),
};

/** The attacks from the caller's own address. Meanwhile, the caller opens new connections too. */
const NEIGHBORS: readonly string[] = ["neighbor"];

/** How the server runs. */
const SETUPS = ["clear", "tls", "workers"] as const;
export type Setup = (typeof SETUPS)[number];

/** The attacks that also run over TLS and against two worker processes. */
const WORST: readonly string[] = [
  "hang-rest",
  "rapid-reset-page",
  "cookie-crumbs",
  "connect-and-close",
  "neighbor",
  "gzip-bombs-connect-valid",
];

export interface Round {
  /** Such as `hang-rest` or `hang-rest:tls`. */
  readonly title: string;
  readonly attack: string;
  readonly setup: Setup;
  readonly isNeighbor: boolean;
}

/** Every attack without TLS, and the worst ones in the other setups. */
export const ROUNDS: readonly Round[] = SETUPS.flatMap((setup) =>
  (setup === "clear" ? Object.keys(ATTACKS) : WORST).map((attack) => ({
    title: setup === "clear" ? attack : `${attack}:${setup}`,
    attack,
    setup,
    isNeighbor: NEIGHBORS.includes(attack),
  })),
);

/** The rounds with these titles, or with these prefixes if no title matches; all rounds if no names are given. */
export function chooseRounds(names: readonly string[]): Round[] {
  if (names.length === 0) return [...ROUNDS];
  const chosen = names.flatMap((name) => {
    const same = ROUNDS.filter(({ title }) => title === name);
    const found = same.length > 0 ? same : ROUNDS.filter(({ title }) => title.startsWith(name));
    if (found.length === 0) {
      throw new Error(`--only holds "${name}": expected names out of ${ROUNDS.map(({ title }) => title).join(", ")}`);
    }
    return found;
  });
  return [...new Set(chosen)];
}
