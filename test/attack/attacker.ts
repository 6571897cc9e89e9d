/**
 * An attacker process: reads an `AttackPlan` as JSON from its first argument, runs the attack, and prints its counts.
 * Exits on its own after the number of seconds in the plan.
 */
import { type AttackPlan, createContext } from "./attack.ts";
import { ATTACKS } from "./catalogue.ts";

/** Time to finish the last iteration of the loops. */
const MARGIN_MS = 2_000;

const plan = JSON.parse(process.argv[2] ?? "") as AttackPlan;
const attack = ATTACKS[plan.name];
if (attack === undefined) throw new Error(`there is no attack "${plan.name}"`);
const { context, counts } = createContext(plan);
setTimeout(leave, plan.seconds * 1_000 + MARGIN_MS);
await attack(context);
leave();

/** Exits with open connections: the kernel closes them. */
function leave(): never {
  process.stdout.write(JSON.stringify(counts));
  process.exit(0);
}
