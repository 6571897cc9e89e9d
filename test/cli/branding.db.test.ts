import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MESSAGES } from "../../src/branding/message-texts.ts";
import { createSvg, PNG } from "../support/branding.ts";
import { createProcesses, type Installation } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import type { TestService } from "../support/servers/service.ts";
import { createSignetCommands } from "./signet-commands.ts";

const processes = createProcesses();
afterAll(() => processes.close());

describe("`signet branding`", () => {
  let installation: Installation;
  let service: TestService;

  beforeAll(async () => {
    installation = await processes.createInstallation("branding");
    service = await serveHere(installation);
  });
  afterAll(() => service?.close());

  describe.each(["the database", "a server"] as const)("with the API of %s", (place) => {
    const run = (...args: string[]) => {
      const server = ["--url", service.origin, "--token-file", installation.tokenFile];
      return processes.runHere([...args, ...(place === "a server" ? server : [])], installation.variables);
    };
    const { signet, json, expectFailure } = createSignetCommands((args) => run("branding", ...args), {});
    const file = (name: string, data: string | Buffer) => {
      const path = join(processes.root, name);
      writeFileSync(path, data);
      return path;
    };
    let orgId: string;
    let owner: string[];
    beforeAll(async () => {
      orgId = await service.createOrg(`Acme of ${place}`);
      owner = ["--org", `acme OF ${place}`];
    });

    test("an organization's branding is set, shown, activated and reset", async () => {
      expect(await json("show", ...owner)).toMatchObject({ isDefault: true });
      const settings = ["--name", "Acme", "--color", "#0f766e", "--terms-url", "https://example.com/terms"];
      expect(await signet("set", ...settings, ...owner)).toMatchObject({
        code: 0,
        stdout: "changed; pages and emails use it after `signet branding activate`\n",
      });
      expect(await json("set", "--no-watermark", "--terms-url", "", ...owner)).toEqual({ ownerId: orgId });
      const policy = { name: "Acme", primaryColor: "#0f766e", disableWatermark: true };
      const draft = await json("show", ...owner);
      expect(draft).toMatchObject({ policy, previewUrl: expect.stringContaining("/ui/preview?link=") });
      expect(draft.policy).not.toHaveProperty("termsUrl");
      expect(await json("show", "--active", ...owner)).toMatchObject({ isDefault: true });

      expect(await json("activate", ...owner)).toEqual({ ownerId: orgId });
      expect(await json("show", "--active", ...owner)).toMatchObject({ policy });
      const { stdout } = await signet("show", "--active", ...owner);
      expect(stdout).toMatch(/^inherited +no\nname +Acme\ncolor +#0f766e\ndark color +-\n/);
      expect(stdout).toMatch(/\nmentions Signet +no\n/);
      expect((await signet("show", ...owner)).stdout).toMatch(/\npreview +http\S+\n$/);

      expect(await json("reset", "--yes", ...owner)).toEqual({ ownerId: orgId });
      expect(await json("show", ...owner)).toMatchObject({ isDefault: true });
      await expectFailure(["activate", ...owner], /\(POLICY_NOT_FOUND\)\n$/);
    });

    test("images are uploaded from PNG and SVG files, and removed", async () => {
      const png = file("logo.png", PNG);
      await expectFailure(["upload", "logo", png, ...owner], /\(POLICY_NOT_FOUND\)\n$/);
      await json("set", "--name", "Acme", ...owner);
      await json("upload", "logo", png, ...owner);
      const svg = file("logo.svg", createSvg({ attack: "<script>alert(1)</script>" }));
      for (const image of ["logo-dark", "icon", "icon-dark"]) await json("upload", image, svg, ...owner);
      const urls = {
        logoUrl: expect.stringMatching(/\.png$/),
        logoUrlDark: expect.stringMatching(/\.svg$/),
        iconUrl: expect.stringMatching(/\.svg$/),
        iconUrlDark: expect.stringMatching(/\.svg$/),
      };
      expect(await json("show", ...owner)).toMatchObject({ policy: urls });
      // Other settings keep the images.
      await json("set", "--name", "Acme Ltd", ...owner);
      expect(await json("show", ...owner)).toMatchObject({ policy: urls });
      for (const image of ["logo", "logo-dark", "icon", "icon-dark"]) {
        expect(await json("remove", image, ...owner)).toEqual({ ownerId: orgId });
      }
      const { policy } = await json("show", ...owner);
      for (const name of Object.keys(urls)) expect(policy).not.toHaveProperty(name);

      await expectFailure(
        ["upload", "icon", file("page.svg", "<p>"), ...owner],
        /^signet: data: .*\(INVALID_ARGUMENT\)\n$/,
      );
      await expectFailure(
        ["upload", "icon", join(processes.root, "missing"), ...owner],
        /^signet: icon: .*missing cannot be read: ENOENT/,
      );
      expect((await signet("upload", "banner", png)).stderr).toContain(
        "Allowed choices are logo, logo-dark, icon, icon-dark",
      );
    });

    test("texts of pages are replaced and reset, per language", async () => {
      const textOf = async (key: string) =>
        (await json("texts", "list", "de", ...owner)).result.find((text: { key: string }) => text.key === key);
      const original = await textOf("signIn.submit");
      expect(original).toMatchObject({ isDefault: true });
      expect(await signet("texts", "set", "de", "signIn.submit", "Los", ...owner)).toMatchObject({
        code: 0,
        stdout: "changed signIn.submit; pages use it after `signet branding activate`\n",
      });
      expect(await textOf("signIn.submit")).toMatchObject({ text: "Los", isDraft: true });
      const { stdout } = await signet("texts", "list", "de", ...owner);
      expect(stdout).toMatch(/^KEY +STATE +TEXT\n/);
      expect(stdout).toMatch(/\nsignIn\.submit +not active +Los\n/);
      await expectFailure(["texts", "set", "de", "signIn.no", "x", ...owner], /\(INVALID_ARGUMENT\)\n$/);

      await json("texts", "set", "de", "signIn.submit", "", ...owner);
      expect(await textOf("signIn.submit")).toEqual(original);
      await json("texts", "set", "de", "signIn.submit", "Los", ...owner);
      expect(await json("texts", "reset", "de", "--yes", ...owner)).toEqual({ ownerId: orgId });
      expect(await textOf("signIn.submit")).toEqual(original);
    });

    test("texts of messages are replaced and reset, per language", async () => {
      const texts = ["--subject", "Welcome", "--text", "You have an account at {{host}}.", "--button", "Start"];
      const message = ["en", "initialization"];
      expect(await json("messages", "set", ...message, ...texts, ...owner)).toEqual({ ownerId: orgId });
      const { stdout } = await signet("messages", "list", "en", ...owner);
      expect(stdout).toMatch(/\ninitialization +own +Welcome +Start +You have an account at \{\{host\}\}\.\n/);
      expect(await json("messages", "reset", ...message, "--yes", ...owner)).toEqual({ ownerId: orgId });
      const { result } = await json("messages", "list", "en", ...owner);
      expect(result).toContainEqual(
        expect.objectContaining({ type: "MESSAGE_TEXT_TYPE_INITIALIZATION", isDefault: true }),
      );
      for (const kind of Object.keys(MESSAGES)) {
        await expectFailure(["messages", "reset", "en", kind, "--yes", ...owner], /\(TEXT_NOT_FOUND\)\n$/);
      }
    });

    test("the instance's branding is changed with --instance", async () => {
      const instance = { ownerId: service.instanceId };
      expect(await json("set", "--name", place, "--instance")).toEqual(instance);
      await json("upload", "icon", file("icon.png", PNG), "--instance");
      expect(await json("activate", "--instance")).toEqual(instance);
      expect(await json("show", "--active", "--instance")).toMatchObject({
        policy: { name: place, iconUrl: expect.stringMatching(/\.png$/) },
      });
      expect(await json("show", "--active")).toMatchObject({ isDefault: true, policy: { name: place } });
      for (const image of ["logo", "logo-dark", "icon", "icon-dark"]) {
        expect(await json("remove", image, "--instance")).toEqual(instance);
      }
      await json("texts", "set", "en", "signIn.submit", "Go on", "--instance");
      expect((await signet("texts", "list", "en", "--instance")).stdout).toMatch(
        /\nsignIn\.submit +not active +Go on\n/,
      );
      expect(await json("texts", "reset", "en", "--yes", "--instance")).toEqual(instance);
      const texts = ["--subject", "Hello", "--text", "Hello from {{host}}.", "--button", "Start"];
      expect(await json("messages", "set", "en", "initialization", ...texts, "--instance")).toEqual(instance);
      expect((await signet("messages", "list", "en", "--instance")).stdout).toMatch(/\ninitialization +own +Hello /);
      expect(await json("messages", "reset", "en", "initialization", "--yes", "--instance")).toEqual(instance);
      expect(await json("reset", "--yes", "--instance")).toEqual(instance);
    });

    test("without a terminal, what cannot be undone requires --yes, and nothing is changed", async () => {
      await json("set", "--name", "Kept", ...owner);
      for (const args of [["reset"], ["texts", "reset", "en"], ["messages", "reset", "en", "initialization"]]) {
        const { code, stderr } = await signet(...args, ...owner);
        expect([args, code]).toEqual([args, 2]);
        expect(stderr).toMatch(/^signet: there is no terminal to confirm the change; to make it, run: .* --yes\n$/);
      }
      expect(await json("show", ...owner)).toMatchObject({ policy: { name: "Kept" } });
      await json("reset", "--yes", ...owner);
    });

    test("a call without a setting, and an organization that does not exist, are reported", async () => {
      expect(await signet("set", ...owner)).toMatchObject({
        code: 2,
        stderr: "signet: nothing to change: give at least one setting\n",
      });
      await expectFailure(
        ["set", "--color", "#ffff00", ...owner],
        /^signet: primaryColor: .*contrast.*\(INVALID_ARGUMENT\)\n$/,
      );
      await expectFailure(["show", "--org", "nowhere"], 'no organization has the id or name "nowhere"');
      expect((await signet("show", "--instance", ...owner)).stderr).toContain(
        "cannot be used with option '--org <org>'",
      );
    });
  });
});
