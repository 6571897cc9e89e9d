import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Deployment } from "kubernetes-types/apps/v1.js";
import type { HorizontalPodAutoscaler } from "kubernetes-types/autoscaling/v2.js";
import type { Job } from "kubernetes-types/batch/v1.js";
import type { ConfigMap, Namespace, Service, ServiceAccount } from "kubernetes-types/core/v1.js";
import type { Ingress, NetworkPolicy } from "kubernetes-types/networking/v1.js";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.js";
import { parseAllDocuments } from "yaml";

interface Kinds {
  Deployment: Deployment;
  HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  Job: Job;
  ConfigMap: ConfigMap;
  Namespace: Namespace;
  Service: Service;
  ServiceAccount: ServiceAccount;
  Ingress: Ingress;
  NetworkPolicy: NetworkPolicy;
  PodDisruptionBudget: PodDisruptionBudget;
}

/** The objects in a folder, as rendered by kustomize or Helm. */
export interface Rendered {
  readonly all: readonly { readonly apiVersion: string; readonly kind: string }[];
  /** The objects of a kind, in order. */
  of<K extends keyof Kinds>(kind: K): Kinds[K][];
  /** The only object of a kind with a name. */
  find<K extends keyof Kinds>(kind: K, name: string): Kinds[K];
}

export const hasKubectl = canRun("kubectl", ["kustomize", "--help"]);
export const hasHelm = canRun("helm", ["version"]);

/** Renders a folder below `deploy/kubernetes`. kubectl needs no cluster for it. */
export function renderKustomize(folder: string): Rendered {
  return parseObjects(
    execFileSync("kubectl", ["kustomize", join("deploy", "kubernetes", folder)], { encoding: "utf8" }),
  );
}

/**
 * Renders the chart as the release `signet`. Helm needs no cluster for it.
 *
 * @param values The text of a file with values.
 * @throws Error with what Helm prints if it refuses the values.
 */
export function renderChart(values: string): Rendered {
  const options = ["template", "signet", "deploy/helm/signet", "--kube-version=1.32", "--values=-"];
  return parseObjects(execFileSync("helm", options, { encoding: "utf8", input: values, stdio: "pipe" }));
}

function canRun(program: string, options: readonly string[]): boolean {
  try {
    execFileSync(program, options, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function parseObjects(text: string): Rendered {
  // Kubernetes reads YAML 1.1, in which 0440 is octal.
  const all = parseAllDocuments(text, { version: "1.1" })
    .map((document) => document.toJS())
    .filter((object) => object !== null);
  const of = <K extends keyof Kinds>(kind: K): Kinds[K][] => all.filter((object) => object.kind === kind);
  return {
    all,
    of,
    find(kind, name) {
      const [found, ...others] = of(kind).filter(({ metadata }) => metadata?.name === name);
      if (found === undefined || others.length > 0) throw new Error(`expected one ${kind} ${name}`);
      return found;
    },
  };
}

/**
 * Compares objects with the types of the Kubernetes API: unknown fields, missing fields and wrong types are errors.
 *
 * @param folder A temporary folder.
 * @returns The errors of the TypeScript compiler.
 */
export function checkTypes(folder: string, objects: Rendered["all"]): string[] {
  const lines = objects.map(({ apiVersion, kind }, index) => {
    const [group = "", version = "v1"] = apiVersion.includes("/") ? apiVersion.split("/") : ["core", apiVersion];
    const type = `import("kubernetes-types/${group.split(".")[0]}/${version}").${kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(objects[index], null, 2)};`;
  });
  writeFileSync(join(folder, "objects.ts"), lines.join("\n"));
  const types = resolve("node_modules", "kubernetes-types");
  const compilerOptions = { strict: true, noEmit: true, types: [], paths: { "kubernetes-types/*": [`${types}/*`] } };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["objects.ts"] }));
  try {
    execFileSync("node_modules/.bin/tsc", ["-p", folder], { encoding: "utf8" });
    return [];
  } catch (error) {
    // Indented lines explain the one before.
    return String((error as { stdout: unknown }).stdout)
      .split("\n")
      .filter((line) => /^\S/.test(line));
  }
}
