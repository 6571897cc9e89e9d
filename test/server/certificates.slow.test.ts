import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { connect as connectTls } from "node:tls";
import { createCertificate, testWithOpenssl } from "../support/servers/certificates.ts";
import { createProcesses } from "../support/servers/process.ts";
import { parseMetrics } from "../support/telemetry/prometheus.ts";
import { until } from "../support/until.ts";

const processes = createProcesses();
afterAll(() => processes.close());

testWithOpenssl("every worker serves a renewed certificate without a restart", async () => {
  const { cert, key } = createCertificate(processes.root);
  const renewed = createCertificate(processes.root, { name: "renewed", days: 3 });
  const { variables } = await processes.createInstallation("renewal");
  const tls = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, METRICS_PORT: "0" };
  const server = await processes.serve({ ...variables, ...tls }, ["--workers", "2"]);
  const port = Number(new URL(server.origin).port);
  const served = async () => {
    const socket = connectTls({ port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const pem = socket.getPeerX509Certificate()?.toString();
    socket.destroy();
    return pem;
  };
  const firstPem = readFileSync(cert, "utf8");
  expect(await served()).toBe(firstPem);
  copyFileSync(renewed.cert, cert);
  copyFileSync(renewed.key, key);
  await until("both workers have replaced it", () => server.stderr().match(/"certificate replaced"/g)?.length === 2);
  const pem = readFileSync(renewed.cert, "utf8");
  expect(await Promise.all([served(), served()])).toEqual([pem, pem]);

  const [, metricsPort] = /"port":(\d+),"msg":"serving metrics"/.exec(server.stderr()) ?? [];
  const metrics = parseMetrics(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
  const expiresAt = Date.parse(new X509Certificate(pem).validTo) / 1_000;
  expect(expiresAt).not.toBe(Date.parse(new X509Certificate(firstPem).validTo) / 1_000);
  expect(metrics.get("signet_certificate_expiry_timestamp_seconds")).toBe(expiresAt);
  expect(await server.stop()).toMatchObject({ code: 0 });
});
