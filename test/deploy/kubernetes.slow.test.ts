import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PodSpec } from "kubernetes-types/core/v1.js";
import { readConfig } from "../../src/config.ts";
import { checkTypes, hasKubectl, type Rendered, renderKustomize } from "./kubernetes.ts";

const folder = mkdtempSync(join(tmpdir(), "signet-kubernetes-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(["base", "example"])(
  `deploy/kubernetes/%s${hasKubectl ? "" : " (skipped: kubectl is missing)"}`,
  (name) => {
    const testHere = hasKubectl ? test : test.skip;
    let cached: Rendered | undefined;
    const rendered = () => {
      cached ??= renderKustomize(name);
      return cached;
    };
    const variables = () => rendered().of("ConfigMap")[0]?.data ?? {};
    const server = () => rendered().find("Deployment", "signet").spec?.template.spec as PodSpec;
    const migration = () => rendered().find("Job", "signet-migrate").spec?.template.spec as PodSpec;

    testHere("every object has the fields and types of the API", () => {
      const { all } = rendered();
      const broken = { ...all[0], metadata: { nmae: "signet" } } as unknown as Rendered["all"][number];
      expect(checkTypes(folder, [...all, broken])).toEqual([expect.stringContaining("nmae")]);
    });

    testHere("the pods satisfy the restricted pod security standard, on a file system that they cannot change", () => {
      for (const pod of [server(), migration()]) {
        expect(pod).toMatchObject({
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
        });
        expect(pod.hostNetwork ?? pod.hostPID ?? pod.hostIPC).toBeUndefined();
        for (const container of pod.containers) {
          expect(container.securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          });
          expect(container.resources).toMatchObject({
            requests: { cpu: expect.any(String), memory: expect.any(String) },
            limits: { memory: expect.any(String) },
          });
        }
        expect(pod.volumes?.map(({ emptyDir, secret }) => emptyDir ?? secret)).toEqual([
          { secretName: "signet", defaultMode: 0o440 },
          { sizeLimit: expect.any(String) },
        ]);
      }
    });

    testHere("the probes ask the process whether it lives, and the service whether it is ready", () => {
      const [container] = server().containers;
      const alive = { port: 8080, service: "grpc.health.v1.Health" };
      expect(container?.startupProbe?.grpc).toEqual(alive);
      expect(container?.livenessProbe?.grpc).toEqual(alive);
      expect(container?.readinessProbe?.grpc).toEqual({ port: 8080 });
    });

    testHere("a pod that stops is not ready for long enough, and has the time to drain", () => {
      const delayMs = Number(variables().SHUTDOWN_DELAY_MS);
      const { periodSeconds = 10, failureThreshold = 3 } = server().containers[0]?.readinessProbe ?? {};
      expect(delayMs).toBeGreaterThan(periodSeconds * failureThreshold * 1_000);
      const { requestTimeoutMs } = readConfig({});
      const graceMs = Number(server().terminationGracePeriodSeconds) * 1_000;
      expect(graceMs).toBeGreaterThan(delayMs + requestTimeoutMs + 2_000);
      // An update starts a pod before it stops one.
      const { strategy } = rendered().find("Deployment", "signet").spec ?? {};
      expect(strategy?.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    });

    testHere("secrets come from files, and the variables are documented", () => {
      const documented = readFileSync("docs/configuration.md", "utf8");
      expect(Object.keys(variables()).filter((key) => !documented.includes(`\`${key}\``))).toEqual([]);
      expect(variables()).toMatchObject({ MIGRATE_ON_START: "false", CREATE_ADMIN_TOKEN: "false" });
      for (const secret of ["DATABASE_URL", "MASTER_KEY", "SMTP_URL"]) {
        expect(variables()).not.toHaveProperty(secret);
        expect(variables()[`${secret}_FILE`]).toBe(`/run/secrets/signet/${secret.toLowerCase().replace("_", "-")}`);
      }
      for (const { containers } of [server(), migration()]) {
        expect(containers[0]?.volumeMounts).toContainEqual({
          name: "secrets",
          mountPath: "/run/secrets/signet",
          readOnly: true,
        });
        expect(containers[0]?.envFrom).toEqual([
          { configMapRef: { name: rendered().of("ConfigMap")[0]?.metadata?.name } },
        ]);
        expect(containers[0]?.env).toBeUndefined();
      }
    });

    testHere("the variables and secrets are a valid configuration of Signet", () => {
      const secrets = join(folder, `${name}-secrets`);
      mkdirSync(secrets);
      // As in docs/guides/kubernetes.md: the script adds the master key.
      writeFileSync(join(secrets, "database-url"), "postgres://signet:secret@postgres.example.com:5432/signet\n");
      writeFileSync(join(secrets, "smtp-url"), "smtp://signet:p%40ssword@mail.example.com:587\n");
      execFileSync("sh", ["deploy/create-secrets.sh", secrets]);
      const local = Object.entries({ PUBLIC_URL: "https://id.example.com", ...variables() }).map(([key, value]) => [
        key,
        value.replace("/run/secrets/signet", secrets),
      ]);
      const config = readConfig({ EMAIL_FROM: "no-reply@example.com", ...Object.fromEntries(local) });
      expect(config.masterKey).toHaveLength(32);
      expect(new URL(config.databaseUrl ?? "").host).toBe("postgres.example.com:5432");
      // A secret of Kubernetes has the same files.
      const files = ["database-url", "master-key", "smtp-url"].map((file) => `--from-file=${join(secrets, file)}`);
      const options = ["create", "secret", "generic", "signet", ...files, "--dry-run=client", "--output=json"];
      const secret = JSON.parse(execFileSync("kubectl", options, { encoding: "utf8" }));
      expect(Object.keys(secret.data)).toEqual(["database-url", "master-key", "smtp-url"]);
    });

    testHere("the Job migrates with the image of the pods", () => {
      expect(migration().containers[0]?.command).toEqual(["node", "bin/signet.js", "migrate"]);
      expect(migration().containers[0]?.image).toBe(server().containers[0]?.image);
    });

    testHere("the service leads to the pods by HTTP/2, and one pod at a time may be moved", () => {
      const labels = rendered().find("Deployment", "signet").spec?.template.metadata?.labels;
      const { selector, ports } = rendered().find("Service", "signet").spec ?? {};
      expect(selector).toEqual(labels);
      expect(ports).toEqual([{ name: "http", port: 8080, targetPort: "http", appProtocol: "kubernetes.io/h2c" }]);
      expect(rendered().find("PodDisruptionBudget", "signet").spec).toMatchObject({
        maxUnavailable: 1,
        selector: { matchLabels: labels },
      });
      for (const { labelSelector } of server().topologySpreadConstraints ?? []) {
        expect(labelSelector?.matchLabels).toEqual(labels);
      }
      expect(server().topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toEqual([
        "topology.kubernetes.io/zone",
        "kubernetes.io/hostname",
      ]);
    });

    testHere("the network admits the proxy and Prometheus, and reaches only what Signet needs", () => {
      const [every, own] = [
        rendered().find("NetworkPolicy", "signet"),
        rendered().find("NetworkPolicy", "signet-server"),
      ];
      const from = (namespace: string) => ({
        from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } }],
      });
      for (const { spec } of [every, own]) expect(spec?.policyTypes).toEqual(["Ingress", "Egress"]);
      expect(every.spec?.ingress).toBeUndefined();
      expect(own.spec?.ingress).toEqual([
        { ...from("ingress"), ports: [{ port: "http", protocol: "TCP" }] },
        { ...from("monitoring"), ports: [{ port: "metrics", protocol: "TCP" }] },
      ]);
      const reached = [every, own].map(({ spec }) => spec?.egress?.map(({ ports }) => ports?.map(({ port }) => port)));
      expect(reached).toEqual([[[53, 53], [5432]], [[443, 465, 587]]]);
      for (const { to } of [...(every.spec?.egress ?? []), ...(own.spec?.egress ?? [])]) expect(to).not.toHaveLength(0);
    });
  },
);
