/**
 * Measures every form of an import and of a phone change beside the plain one, in one run on a new database. `--quick`
 * takes fewer and shorter rounds.
 *
 * `--first-minute` measures instead whether the first calls on a new database are as fast as later ones, for which
 * PostgreSQL has statistics: in the first minute, and again after `--minutes <count>`, by default 10.
 */
import { parseArgs } from "node:util";
import { findPrograms } from "../test/support/databases/postgres-programs.ts";
import { compare, of, type Run, toFigure, toRatio } from "./compare.ts";
import { IMPORT_FORMS, type ImportForm, takeSerial } from "./data.ts";
import type { Figure } from "./figure.ts";
import { measureFirstMinute } from "./first-minute.ts";
import { startFormsServer } from "./forms-server.ts";
import type { Measure } from "./operations.ts";
import type { ServerProcess } from "./processes.ts";
import { writeReport } from "./report.ts";
import { FULL, QUICK } from "./rounds.ts";
import { createSetting } from "./setting.ts";

type Form = ImportForm | "sms";

const FORMS: Record<"import" | "phone", readonly Form[]> = {
  import: Object.keys(IMPORT_FORMS) as ImportForm[],
  phone: ["plain", "sms"],
};
const NAMES = { import: "ImportHumanUser", phone: "UpdateHumanPhone" } as const;
const LEAST = 0.5;

if (import.meta.main) {
  const { values: flags } = parseArgs({
    options: {
      quick: { type: "boolean" },
      "first-minute": { type: "boolean" },
      minutes: { type: "string", default: "10" },
    },
  });
  console.log(findPrograms().name);
  const setting = await createSetting(20_000, { isAnalyzed: !flags["first-minute"] });
  try {
    if (flags["first-minute"]) {
      writeReport({ "first-minute": await measureFirstMinute(setting, Number(flags.minutes)) }, "first-minute");
    } else {
      const figures = await measureForms({ setting, rounds: flags.quick ? QUICK : FULL, takeSerial });
      writeReport({ forms: figures }, flags.quick ? "forms-quick" : "forms");
    }
  } finally {
    await setting.stop();
  }
}

/** Calls per second of each form, and their ratio to those of the plain one. */
export async function measureForms(measure: Measure): Promise<Figure[]> {
  const { server, idpId } = await startFormsServer(measure.setting);
  const figures: Figure[] = [];
  for (const operation of ["import", "phone"] as const) {
    const runs = await compareForms(measure, { server, idpId, operation });
    figures.push(...FORMS[operation].flatMap((form) => toFigures(NAMES[operation], form, runs[form], runs.plain)));
  }
  await server.stop();
  return figures;
}

/** The forms alternate on one server. Every acknowledged call must be stored. */
async function compareForms(
  { setting, rounds, takeSerial }: Measure,
  { server, idpId, operation }: { server: ServerProcess; idpId: string; operation: "import" | "phone" },
): Promise<Record<Form, readonly Run[]>> {
  const forms = FORMS[operation];
  const servers = Object.fromEntries(forms.map((form) => [form, server])) as Record<Form, ServerProcess>;
  const { users, token, databaseSeconds } = setting;
  const plan = { operation, tokens: [token], form: "grpc", users, idpId } as const;
  const toPlan = (variant: Form) => ({ ...plan, variant, firstNumber: takeSerial(rounds.calls) });
  const stored = () => (operation === "phone" ? setting.countPhoneChanges() : setting.countUsers());
  const before = await stored();
  const { runs, calls } = await compare(servers, { rounds, inFlight: 32, toPlan, databaseSeconds });
  const [expected, added] = [calls * forms.length, (await stored()) - before];
  if (added !== expected) throw new Error(`${expected} calls were acknowledged, and ${added} are stored`);
  return runs;
}

function toFigures(operation: string, form: Form, runs: readonly Run[], plain: readonly Run[]): Figure[] {
  const name = `${operation}, ${form}`;
  const figures = [
    toFigure(name, "calls/s", runs, "perSecond"),
    toFigure(`${name}, CPU of PostgreSQL per call`, "µs", runs, "databaseCpu"),
  ];
  if (form === "plain") return figures;
  const ratio = of(runs, "perSecond") / of(plain, "perSecond");
  return [...figures, toRatio(`${name}, calls/s against the plain one`, ratio, "at least", LEAST)];
}
