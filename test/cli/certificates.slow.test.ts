import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { connect as connectTls } from "node:tls";
import { afterAll, expect } from "@jest/globals";
import { createCertificate, testWithOpenssl } from "../support/certificates.ts";
import { createProcesses, until } from "../support/process.ts";

const processes = createProcesses();
afterAll(() => processes.close());

testWithOpenssl("every worker serves a renewed certificate without a restart", async () => {
  const { cert, key } = createCertificate(processes.root);
  const renewed = createCertificate(processes.root, { name: "renewed" });
  const { variables } = await processes.createInstallation("renewal");
  const tls = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key };
  const server = await processes.serve({ ...variables, ...tls }, ["--workers", "2"]);
  const port = Number(new URL(server.origin).port);
  const served = async () => {
    const socket = connectTls({ port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const pem = socket.getPeerX509Certificate()?.toString();
    socket.destroy();
    return pem;
  };
  expect(await served()).toBe(readFileSync(cert, "utf8"));
  copyFileSync(renewed.cert, cert);
  copyFileSync(renewed.key, key);
  await until("both workers have replaced it", () => server.stderr().match(/"certificate replaced"/g)?.length === 2);
  const pem = readFileSync(renewed.cert, "utf8");
  expect(await Promise.all([served(), served()])).toEqual([pem, pem]);
  expect(await server.stop()).toMatchObject({ code: 0 });
});
