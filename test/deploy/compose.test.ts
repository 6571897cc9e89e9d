import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { testWithOpenssl } from "../support/servers/certificates.ts";
import { COMPOSE_FILE, type ComposeService, readCompose } from "./compose.ts";

const compose = readCompose();
const services = Object.entries(compose.services);
const instances = services.filter(([name]) => /^signet-\d$/.test(name));
const folder = mkdtempSync(join(tmpdir(), "signet-compose-"));
const secrets = join(folder, "secrets");
const createSecrets = () => execFileSync("sh", ["deploy/create-secrets.sh", secrets], { encoding: "utf8" });
afterAll(() => rmSync(folder, { recursive: true }));

/** Docker's plugin, which needs no daemon to read a file. */
const hasDocker = (() => {
  try {
    execFileSync("docker", ["compose", "version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

(hasDocker ? test : test.skip)(
  `Docker accepts the file${hasDocker ? "" : " (skipped: docker compose is missing)"}`,
  () => {
    execFileSync("docker", ["compose", "--file", COMPOSE_FILE, "config", "--quiet"]);
  },
);

describe.each(services)("the service %s", (name, service) => {
  test("cannot change its image, gain rights, or use up the machine", () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      logging: { driver: "local", options: { "max-size": expect.any(String) } },
      deploy: {
        resources: { limits: { cpus: expect.any(String), memory: expect.any(String), pids: expect.any(Number) } },
      },
    });
    expect(service.privileged ?? service.pid ?? service.ipc).toBeUndefined();
  });

  test("does not run as root, unless it only changes the owner of a volume", () => {
    if (name === "proxy-volume") {
      expect(service).toMatchObject({ user: "root", network_mode: "none", restart: "no", cap_add: ["CHOWN"] });
      expect(service.command).toEqual(["chown", compose.services.proxy?.user, "/data"]);
    } else {
      expect(service.user).toMatch(/^(node|postgres|1000:1000)$/);
    }
  });

  test("has a health check, unless it ends on its own", () => {
    const hasOwn = readFileSync("Dockerfile", "utf8").includes("HEALTHCHECK") && service.image === "signet";
    if (service.restart === "no") expect(service.healthcheck?.test).toBeUndefined();
    else expect(hasOwn || service.healthcheck?.test).toBeTruthy();
  });

  test("refers only to what exists", () => {
    for (const secret of service.secrets ?? []) expect(compose.secrets).toHaveProperty(secret);
    for (const volume of service.volumes ?? []) {
      const [source = ""] = volume.split(":");
      expect(source.startsWith("./") ? existsSync(join("deploy", source)) : source in compose.volumes).toBe(true);
    }
    for (const dependency of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(dependency);
  });
});

describe("the secrets", () => {
  let names: string[];
  beforeAll(() => {
    names = Object.values(compose.secrets).map(({ file }) => basename(file));
  });

  testWithOpenssl("are created by one command, and not changed by a second run", async () => {
    expect(createSecrets().trim().split("\n")).toHaveLength(names.length);
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    const read = () => names.map((name) => readFileSync(join(secrets, name), "utf8"));
    for (const name of names) expect(statSync(join(secrets, name)).mode & 0o777).toBe(0o644);
    const before = read();
    expect(createSecrets()).toBe("");
    expect(read()).toEqual(before);
    expect(new Set(before).size).toBe(names.length);
  });

  test("are neither in the file nor in the image nor in the repository", () => {
    const text = readFileSync(COMPOSE_FILE, "utf8");
    expect(text).not.toMatch(/(PASSWORD|MASTER_KEY|DATABASE_URL|SMTP_URL): /);
    expect(readFileSync(".gitignore", "utf8")).toContain("deploy/secrets/\n");
    const [all, ...included] = readFileSync(".dockerignore", "utf8").split("\n");
    expect(all).toBe("*");
    expect(included.filter((path) => path.startsWith("!deploy"))).toEqual([]);
  });

  testWithOpenssl("and the variables are a valid configuration of Signet", async () => {
    createSecrets();
    for (const [, { environment = {} }] of [...instances, ["migrate", compose.services.migrate as ComposeService]] as [
      string,
      ComposeService,
    ][]) {
      const local = Object.entries(environment).map(([key, value]) => [key, value.replace("/run/secrets", secrets)]);
      const config = readConfig(Object.fromEntries(local));
      expect(new URL(config.databaseUrl ?? "").hostname).toBe("postgres");
      expect(config).toMatchObject({ publicUrl: "https://localhost", smtpUrl: "smtp://mail:1025" });
      // readConfig ignores variables that it does not know.
      const documented = readFileSync("docs/configuration.md", "utf8");
      expect(Object.keys(environment).filter((key) => !documented.includes(`\`${key}\``))).toEqual([]);
    }
  });
});

test("one service migrates before two others start, which do not", () => {
  expect(instances).toHaveLength(2);
  expect(compose.services.migrate).toMatchObject({
    command: ["node", "bin/signet.js", "migrate"],
    restart: "no",
    depends_on: { postgres: { condition: "service_healthy" } },
  });
  for (const [, { environment, depends_on }] of instances) {
    expect(environment).toMatchObject({ MIGRATE_ON_START: "false", CREATE_ADMIN_TOKEN: "false" });
    expect(depends_on).toEqual({ migrate: { condition: "service_completed_successfully" } });
  }
});

test("the proxy knows both services, and they trust only its address", () => {
  const backends = instances.map(([name]) => `${name}:8080`).join(" ");
  expect(readFileSync("deploy/caddy/Caddyfile", "utf8")).toContain(`reverse_proxy ${backends} {`);
  const { networks, environment } = compose.services.proxy as ComposeService;
  const { front } = networks as Record<string, { ipv4_address?: string }>;
  for (const [, { environment: own }] of instances) expect(own?.TRUSTED_PROXIES).toBe(front?.ipv4_address);
  expect(Object.keys(environment ?? {})).toEqual(["SIGNET_HOST"]);
});

test("the grace period of a container covers the shutdown", () => {
  for (const [, { environment, stop_grace_period: grace = "" }] of instances) {
    const { requestTimeoutMs } = readConfig({});
    const needed = Number(environment?.SHUTDOWN_DELAY_MS) + requestTimeoutMs + 2_000;
    expect(Number(grace.replace("s", "")) * 1_000).toBeGreaterThan(needed);
    // Two checks of the Caddyfile, each with its interval and its time limit, minus the first interval.
    expect(Number(environment?.SHUTDOWN_DELAY_MS)).toBeGreaterThanOrEqual(4_000);
  }
});
