import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { request as sendHttps } from "node:https";
import { connect as connectTls } from "node:tls";
import { fromBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { ImportHumanUserResponseSchema } from "../../gen/signet/v1/management_pb.js";
import { askHttp2, human, IMPORT_RPC, importBody, rawRequest, readResponse } from "../support/clients/raw-calls.ts";
import { IMPORT_PATH, send } from "../support/clients/send.ts";
import { createCertificate, hasOpenssl } from "../support/servers/certificates.ts";
import { createProcesses, type Processes, readToken, type TestServer } from "../support/servers/process.ts";

(hasOpenssl ? describe : describe.skip)(hasOpenssl ? "over TLS" : "over TLS (skipped: openssl is missing)", () => {
  let processes: Processes;
  let server: TestServer;
  let token = "";
  let certificate: Buffer;

  beforeAll(async () => {
    processes = createProcesses();
    const { cert, key } = createCertificate(processes.root);
    certificate = readFileSync(cert);
    const { variables, tokenFile } = await processes.createInstallation("tls");
    server = await processes.serve({ ...variables, TLS_CERT_FILE: cert, TLS_KEY_FILE: key });
    token = readToken(tokenFile);
  });
  afterAll(() => processes.close());

  function call(credentials: grpc.ChannelCredentials, name: string): Promise<grpc.ServiceError | string> {
    const client = new grpc.Client(`localhost:${new URL(server.origin).port}`, credentials);
    const metadata = new grpc.Metadata();
    metadata.set("authorization", `Bearer ${token}`);
    const { promise, resolve } = Promise.withResolvers<grpc.ServiceError | string>();
    client.makeUnaryRequest(
      IMPORT_RPC,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => fromBinary(ImportHumanUserResponseSchema, bytes).userId,
      importBody("connect-proto", human(name)),
      metadata,
      { deadline: Date.now() + 120_000 },
      (error, userId) => resolve(error ?? userId ?? ""),
    );
    return promise.finally(() => client.close());
  }

  test("a gRPC client that trusts the certificate is served", async () => {
    expect(server.origin).toMatch(/^https:/);
    expect(await call(grpc.credentials.createSsl(certificate), "ada")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await call(grpc.credentials.createSsl(certificate), "ada")).toMatchObject({ code: 6 });
  });

  test("a gRPC client that does not trust it, or does not use TLS, is not", async () => {
    expect(await call(grpc.credentials.createSsl(), "grace")).toMatchObject({ code: grpc.status.UNAVAILABLE });
    expect(await call(grpc.credentials.createInsecure(), "grace")).toMatchObject({ code: grpc.status.UNAVAILABLE });
  });

  test("REST is served over https, and not without TLS", async () => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = sendHttps(new URL(IMPORT_PATH, server.origin), {
      method: "POST",
      ca: certificate,
      headers,
      agent: false,
    });
    request.end(JSON.stringify(human("mary")));
    const [response] = await once(request, "response");
    expect(response.resume().statusCode).toBe(200);
    await expect(send(server.origin.replace("https", "http"), "GET", "/healthz")).rejects.toThrow();
  });

  test("HTTP/2 is chosen by ALPN, and HTTP/1.1 for a client that offers nothing else", async () => {
    const port = Number(new URL(server.origin).port);
    const protocols = [["h2", "http/1.1"], ["http/1.1"]].map(async (ALPNProtocols) => {
      const socket = connectTls({ host: "localhost", port, ca: certificate, ALPNProtocols, servername: "localhost" });
      await once(socket, "secureConnect");
      socket.destroy();
      return socket.alpnProtocol;
    });
    expect(await Promise.all(protocols)).toEqual(["h2", "http/1.1"]);
    const session = connect(server.origin, { ca: certificate });
    const request = rawRequest("grpc", importBody("grpc", human("joan")), { authorization: `Bearer ${token}` });
    expect(await readResponse("grpc", await askHttp2(session, request))).toMatchObject({ code: 0 });
    expect(session.alpnProtocol).toBe("h2");
    session.destroy();
  });

  test("SIGTERM ends the service with exit code 0", async () => {
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});
