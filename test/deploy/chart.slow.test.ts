import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkTypes, hasHelm, hasKubectl, type Rendered, renderChart, renderKustomize } from "./kubernetes.ts";

/** What deploy/kubernetes/example sets. */
const EXAMPLE = `
config:
  PUBLIC_URL: https://id.example.com
  EMAIL_FROM: Signet <no-reply@example.com>
  TRUSTED_PROXIES: 10.244.0.0/16
autoscaler: { enabled: true }
networkPolicy:
  database: [{ ipBlock: { cidr: 10.0.0.5/32 } }]
`;

const folder = mkdtempSync(join(tmpdir(), "signet-chart-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe(`deploy/helm/signet${hasHelm && hasKubectl ? "" : " (skipped: helm or kubectl is missing)"}`, () => {
  const testHere = hasHelm && hasKubectl ? test : test.skip;

  testHere("renders what deploy/kubernetes/example has", () => {
    const expected = comparable(renderKustomize("example")).filter(({ kind }) => kind !== "Namespace");
    expect(expected).toHaveLength(9);
    expect(comparable(renderChart(EXAMPLE))).toEqual(expected);
  });

  testHere("renders the optional objects, and other values, with the fields and types of the API", () => {
    const rendered = renderChart(`
      config:
        PUBLIC_URL: https://id.example.com:8443
        SHUTDOWN_DELAY_MS: 20000
        MAX_BODY_BYTES: 2097152
        CREATE_ADMIN_TOKEN: false
        SMTP_URL_FILE: null
      image: { digest: "sha256:0123" }
      imagePullSecrets: [{ name: registry }]
      networkPolicy: { enabled: false }
      ingress: { enabled: true, className: traefik, annotations: { "example.com/protocol": h2c } }
      podMonitor: { enabled: true }
    `);
    const [monitor, ...others] = [...rendered.all].sort((a) => (a.kind === "PodMonitor" ? -1 : 1));
    expect(monitor).toMatchObject({ kind: "PodMonitor", spec: { podMetricsEndpoints: [{ port: "metrics" }] } });
    expect(checkTypes(folder, others)).toEqual([]);
    const { data = {} } = rendered.find("ConfigMap", "signet");
    expect(data).toMatchObject({ MAX_BODY_BYTES: "2097152", CREATE_ADMIN_TOKEN: "false", METRICS_PORT: "9464" });
    expect(Object.keys(data).filter((name) => name === "SMTP_URL_FILE" || name === "EMAIL_FROM")).toEqual([]);
    expect(rendered.find("Ingress", "signet").spec?.rules?.[0]?.host).toBe("id.example.com");
    expect(rendered.of("NetworkPolicy")).toEqual([]);
    const { replicas, template } = rendered.find("Deployment", "signet").spec ?? {};
    expect(replicas).toBe(2);
    expect(template?.spec).toMatchObject({
      terminationGracePeriodSeconds: 50,
      imagePullSecrets: [{ name: "registry" }],
      containers: [{ image: "registry.example.com/signet@sha256:0123" }],
    });
  });

  testHere("refuses to render without the public address", () => {
    expect(() => renderChart("")).toThrow("config.PUBLIC_URL is missing: expected the address");
  });
});

/**
 * The objects in order, without what the two programs name in their own ways: kustomize adds a hash to the name of the ConfigMap
 * and the namespace to each object; the chart adds a checksum to the pods and the revision to the name of the Job.
 */
function comparable({ all }: Rendered): { readonly kind: string }[] {
  const text = JSON.stringify(all, (key, value) => (key === "namespace" || key === "annotations" ? undefined : value));
  const objects = JSON.parse(
    text.replaceAll(/signet-[a-z0-9]{10}(?=")/g, "signet").replaceAll("signet-migrate-1", "signet-migrate"),
  );
  const keyOf = ({ kind, metadata }: { kind: string; metadata: { name: string } }) => `${kind} ${metadata.name}`;
  return objects.sort((a: Parameters<typeof keyOf>[0], b: typeof a) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
