import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fromBinary } from "@bufbuild/protobuf";
import type { Page } from "playwright-core";
import { createSignetClient } from "../../clients/typescript/src/web.ts";
import { BulkImportHumanUsersRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { openRunFolder } from "../../src/moving/report/run-folder.ts";
import { sha256 } from "../../src/moving/sha-256.ts";
import { openTarget } from "../../src/moving/target.ts";
import { PASSWORD as KEYCLOAK_PASSWORD } from "../moving/fixtures/keycloak/users.ts";
import { findViolations } from "../support/browsers/axe.ts";
import { describeInChromium } from "../support/browsers/chromium.ts";
import { call } from "../support/browsers/visitor.ts";
import { lookAt, SCREENS } from "./console-pages.ts";
import { ORIGIN, openScene, picture, type Scene } from "./console-scene.ts";

const HASH = "$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SsxFO/ZtiN9.mNzy";
const SECRET = "a secret of the provider";

describeInChromium("the import of users in the console, in Chromium", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    scene.service.secret(SECRET);
  });
  afterAll(() => scene?.close());

  /** A `sub` is unique in the instance. */
  let ids = 0;
  const newId = () => `import-${++ids}`;
  let orgs = 0;

  type Person = Awaited<ReturnType<Scene["signIn"]>>;

  /** The page of a new organization. */
  async function openImport(options: Partial<Parameters<Scene["signIn"]>[0]> = {}, orgId?: string) {
    const id = orgId ?? (await scene.service.createOrg(`Example ${++orgs}`));
    const person = await scene.signIn({ role: "INSTANCE_OWNER", path: `/orgs/${id}/import`, ...options });
    await person.page.waitForSelector("main form, main > p");
    return { ...person, orgId: id };
  }

  /** Chooses a source and files, and waits for the preview. */
  async function preview(page: Page, from: string, ...files: { name: string; content: string | Buffer }[]) {
    await page.getByLabel("The export is from").selectOption(from);
    await page.setInputFiles(
      "input[type=file]",
      files.map(({ name, content }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) })),
    );
    await page.click("text=Show what will happen");
    await page.waitForSelector(".counts");
  }

  /** The numbers of the preview or the report, by their names. */
  async function counts(page: Page): Promise<Record<string, string | null>> {
    const items = await page.locator(".counts > div").all();
    const pairs = items.map(async (item) => [
      await item.locator("dt").textContent(),
      await item.locator("dd").textContent(),
    ]);
    return Object.fromEntries(await Promise.all(pairs));
  }

  async function importAll(page: Page, button: string): Promise<void> {
    await page.click(`button >> text="${button}"`);
    await page.waitForSelector("text=The import is complete.");
  }

  async function download(page: Page, button: string): Promise<{ name: string; text: string }> {
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click(`text=${button}`)]);
    return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), "utf8") };
  }

  const peopleOf = (orgId: string) =>
    scene.service.db
      .selectFrom("users")
      .selectAll()
      .where("org_id", "=", orgId)
      .where("kind", "=", "human")
      .orderBy("user_name")
      .execute();

  function expectNoProblems({ problems, elsewhere }: Person): void {
    expect([problems, elsewhere]).toEqual([[], []]);
  }

  const CSV = [
    "id,email,first name,last name,email verified,password hash,shoe size",
    `1,ada@example.com,Ada,Lovelace,true,${HASH},38`,
    `2,grace@example.com,Grace,Hopper,true,${HASH},39`,
    `3,no address,Mary,Somerville,true,${HASH},40`,
    `4,ADA@example.com,Other,Ada,true,${HASH},41`,
    `5,joan@example.com,Joan,Clarke,false,,42`,
  ].join("\n");

  test.each(SCREENS)("the page is accessible and fits: %s, %s", async (...screen) => {
    const orgId = await scene.service.createOrg(`Example ${++orgs}`);
    const found = await lookAt(scene, screen, "INSTANCE_OWNER", [["import", `/orgs/${orgId}/import`, "main form"]]);
    expect(found).toEqual([]);
  });

  test.each(SCREENS)("preview and report are accessible and fit: %s, %s", async (size, colorScheme, width) => {
    const person = await openImport({ colorScheme, viewport: { width, height: 800 } });
    const { page } = person;
    await page.click("summary");
    expect(await findViolations(page)).toEqual([]);
    await call(
      scene.service,
      "AddGoogleProvider",
      { name: "Google", clientId: "signet", clientSecret: SECRET },
      { "x-service-orgid": person.orgId },
    );
    const identities = [{ provider: "google-oauth2", user_id: "1", connection: "google-oauth2" }];
    const named = (given_name: string, family_name: string) => ({
      ...{ user_id: newId(), email: `${given_name}@example.com`, email_verified: true, given_name, family_name },
    });
    const lines = [
      { ...named("Ada", "Lovelace"), identities, picture: "https://example.com/ada.png" },
      { ...named("Grace", "Hopper"), phone_number: "+41791234567", phone_verified: true },
      { ...named("Joan", "Clarke"), user_metadata: { plan: "gold" }, email_verified: false },
      { user_id: newId(), email: "mary@example.com" },
    ];
    await preview(page, "auth0", {
      name: "users.ndjson",
      content: lines.map((each) => JSON.stringify(each)).join("\n"),
    });
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await picture(page, `console-import-preview-${size}-${colorScheme}`);
    const countLines = async () => {
      const boxes = await Promise.all((await page.locator(".counts div").all()).map((each) => each.boundingBox()));
      return new Set(boxes.map((box) => box?.y)).size;
    };
    if (size === "wide") expect(await countLines()).toBe(1);
    await importAll(page, "Import 3 users");
    if (size === "wide") expect(await countLines()).toBe(1);
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.click("text=Undo the import");
    await page.waitForSelector("dialog >> text=still exist");
    expect(await findViolations(page)).toEqual([]);
    expectNoProblems(person);
    await person.close();
  });

  test("a CSV is previewed and imported; refused records are corrected and imported", async () => {
    const person = await openImport();
    const { page, orgId } = person;
    await preview(page, "csv", { name: "users.csv", content: CSV });
    expect(await counts(page)).toEqual({
      Records: "5",
      "To import": "3",
      "Exist already": "0",
      Merged: "0",
      Refused: "2",
      Skipped: "0",
    });
    await page.waitForSelector("tr:has-text('Email address: must be an email address') >> text=users.csv:4");
    await page.waitForSelector("tr:has-text('is that of an earlier record, at users.csv:2') >> text=users.csv:5");
    await page.waitForSelector("tr:has-text('Column shoe size')");
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.waitForSelector("text=Users who get an email with a link: 1");
    // Nothing is changed yet.
    expect(await peopleOf(orgId)).toHaveLength(0);

    await importAll(page, "Import 3 users");
    expect(await counts(page)).toMatchObject({ Imported: "3", Refused: "2" });
    const [ada] = await peopleOf(orgId);
    expect(ada).toMatchObject({ user_name: "ada@example.com", first_name: "Ada", password_hash: expect.anything() });
    const report = await download(page, "Download the report");
    expect(report.name).toMatch(/^csv-[0-9a-f]{12}\.ndjson$/);
    expect(
      report.text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).outcome),
    ).toEqual([...["imported", "imported", "refused", "refused", "imported"]]);
    const refused = await download(page, "Download the refused records");
    expect(refused).toEqual({ name: "refused.csv", text: `${[0, 3, 4].map((n) => CSV.split("\n")[n]).join("\n")}\n` });

    const mended = refused.text.replace("no address", "mary@example.com").replace("ADA@", "other-ada@");
    await page.click("text=Import another file");
    await preview(page, "csv", { name: "refused.csv", content: gzipSync(mended) });
    await importAll(page, "Import 2 users");
    expect((await peopleOf(orgId)).map(({ user_name }) => user_name)).toEqual([
      ...["ada@example.com", "grace@example.com", "joan@example.com", "mary@example.com", "other-ada@example.com"],
    ]);
    expectNoProblems(person);
    await person.close();
  });

  test("refused records are corrected in the page: only they are imported, and the report and the undo go on", async () => {
    const person = await openImport();
    const { page, orgId } = person;
    const cellOf = (column: string, line: number) => page.getByLabel(`${column}, line ${line}`, { exact: true });
    await preview(page, "csv", { name: "users.csv", content: CSV });
    await importAll(page, "Import 3 users");
    const first = await download(page, "Download the report");
    await page.click("text=Correct and import again");
    await page.waitForSelector("tr:has-text('must be an email address')");
    expect(await findViolations(page)).toEqual([]);
    await picture(page, "console-import-correct");
    expect(await cellOf("first name", 5).inputValue()).toBe("Other");
    await cellOf("email", 4).fill("mary@example.com");
    await cellOf("email", 5).fill("no address either");
    await cellOf("last name", 4).fill('Somerville, "M."');
    const checkAgain = async () => {
      await page.click("text=Show what will happen");
      await page.waitForSelector("text=Change file or options");
    };
    await checkAgain();
    expect(await counts(page)).toMatchObject({ Records: "2", "To import": "1", Refused: "1" });
    await page.click("text=Change file or options");
    await page.waitForSelector("text=The refused records of the import (2) are chosen");
    await checkAgain();
    await importAll(page, "Import 1 user");
    expect(await counts(page)).toMatchObject({ Imported: "4", Refused: "1" });
    expect((await peopleOf(orgId)).find(({ email }) => email === "mary@example.com")).toMatchObject({
      last_name: 'Somerville, "M."',
    });
    await page.click("text=Correct and import again");
    await cellOf("email", 3).fill("other-ada@example.com");
    await checkAgain();
    await importAll(page, "Import 1 user");
    expect(await counts(page)).toMatchObject({ Imported: "5", Refused: "0" });
    const report = await download(page, "Download the report");
    expect(report.name).toBe(first.name);
    const lines = report.text.trim().split("\n");
    expect(
      lines.map((line) => JSON.parse(line)).map(({ file, line, outcome }) => `${file}:${line} ${outcome}`),
    ).toEqual([
      ...["users.csv:2 imported", "users.csv:3 imported", "users.csv:6 imported"],
      ...["refused-1.csv:2 imported", "refused-2.csv:2 imported"],
    ]);
    await page.click("text=Undo the import");
    await page.click("button >> text=Remove 5 users");
    await page.waitForSelector("text=Removed: 5.");
    expect(await peopleOf(orgId)).toHaveLength(0);
    expectNoProblems(person);
    await person.close();
  });

  test("the columns of a table are guessed and chosen, and kept for the next file", async () => {
    const person = await openImport();
    const { page, orgId } = person;
    const table = (id: number, name: string) =>
      [
        "Kundennummer;E-Mail;Vorname;Name;Telefon;Tarif;google_id;Kommentar;status",
        `${id};${name}@example.com;${name};Hopper;+41791234567;gold;g-${id};guter Kunde;in Kontakt`,
      ].join("\n");
    const setFile = (content: string) =>
      page.setInputFiles("input[type=file]", {
        name: "kunden.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(content),
      });
    const pickerOf = (column: string) => page.getByLabel(`Field: ${column}`, { exact: true });
    await setFile(table(1, "ada"));
    await page.waitForSelector("text=No column yet: Last name");
    expect(await page.locator("tbody tr").first().textContent()).toContain("ada@example.com");
    expect(await page.locator("tbody th").allTextContents()).toEqual([
      "E-Mail",
      "Vorname",
      "Kundennummer",
      "Name",
      "Telefon",
      "status",
      "Tarif",
      "google_id",
      "Kommentar",
    ]);
    expect(await findViolations(page)).toEqual([]);
    expect(await pickerOf("Telefon").inputValue()).toBe("phone");
    await pickerOf("Name").selectOption("lastName");
    await pickerOf("Tarif").selectOption({ label: "Metadata" });
    await pickerOf("google_id").selectOption({ label: "Id at another provider" });
    await pickerOf("status").selectOption({ label: "Not imported" });
    await page.click("text=Show what will happen");
    await page.waitForSelector("tr:has-text('Column Kommentar')");
    await page.waitForSelector("tr:has-text('link to google')");
    await importAll(page, "Import 1 user");
    expect(await peopleOf(orgId)).toMatchObject([
      { email: "ada@example.com", first_name: "ada", last_name: "Hopper", phone: "+41791234567", state: "active" },
    ]);

    await page.click("text=Import another file");
    await setFile(table(2, "grace"));
    await page.click("text=Show what will happen");
    await importAll(page, "Import 1 user");
    expect(await peopleOf(orgId)).toMatchObject([{ first_name: "ada" }, { first_name: "grace", last_name: "Hopper" }]);
    expectNoProblems(person);
    await person.close();
  });

  test("what the service refuses is in the report, and the others are imported", async () => {
    const { page, orgId, close } = await openImport();
    const line = (id: string, changes: object) =>
      JSON.stringify({
        id: newId(),
        email: `${id}@example.com`,
        firstName: "A",
        lastName: "B",
        emailVerified: true,
        ...changes,
      });
    const lines = [line("a", {}), line("b", { passwordHash: "$2a$99$invalid" }), line("c", { userName: "C" })];
    await preview(page, "signet", { name: "users.ndjson", content: lines.join("\n") });
    await importAll(page, "Import 3 users");
    await page.waitForSelector("tr:has-text('users.ndjson:2') >> text=/hashedPassword/");
    expect((await peopleOf(orgId)).map(({ user_name }) => user_name)).toEqual(["C", "a@example.com"]);
    expect(await download(page, "Download the refused records")).toEqual({
      name: "refused.ndjson",
      text: `${lines[1]}\n`,
    });
    await close();
  });

  test("Auth0's users are joined with their passwords, and their providers are chosen", async () => {
    const person = await openImport();
    const { page, orgId } = person;
    const fields = { name: "Corp", clientId: "signet", clientSecret: SECRET };
    const idpId = String((await call(scene.service, "AddGoogleProvider", fields, { "x-service-orgid": orgId })).id);
    const users = [
      {
        ...{ user_id: "auth0|1", email: "ada@example.com", email_verified: true, given_name: "Ada", family_name: "L" },
        identities: [
          { provider: "auth0", user_id: "1", connection: "Users" },
          { provider: "oidc", user_id: "corp|42", connection: "corp" },
        ],
      },
    ];
    const hashes = [{ _id: { $oid: "1" }, email: "ada@example.com", passwordHash: HASH }];
    const toLines = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join("\n");
    await preview(
      page,
      "auth0",
      { name: "users.ndjson", content: toLines(users) },
      { name: "hashes.ndjson", content: toLines(hashes) },
    );
    await page.waitForSelector("tr:has-text('Link to corp: not mapped with \"Accounts at other providers\"')");
    await page.getByLabel("corp", { exact: true }).selectOption(idpId);
    await page.click("text=Check again");
    await page.waitForSelector("tr:has-text('Links to providers')");
    await importAll(page, "Import 1 user");
    const [ada] = await peopleOf(orgId);
    expect(ada?.password_hash).not.toBeNull();
    const links = await scene.service.db
      .selectFrom("user_idp_links")
      .selectAll()
      .where("user_id", "=", ada?.id ?? "")
      .execute();
    expect(links).toMatchObject([{ external_user_id: "42" }]);
    expectNoProblems(person);
    await person.close();
  });

  test("a realm of Keycloak is imported, its users sign in with their passwords, and the import is undone", async () => {
    const { orgId } = scene.service;
    const person = await openImport({}, orgId);
    const { page } = person;
    const content = readFileSync("test/moving/fixtures/keycloak/export-users-0.json");
    await preview(page, "keycloak", { name: "export.json", content });
    expect(await counts(page)).toMatchObject({ Records: "13", Skipped: "1" });
    await page.click("text=Change file or options");
    await page.click("summary");
    await page.check("text=Set -");
    await page.getByLabel("Region of phone numbers").fill("ch");
    await page.click("text=Show what will happen");
    await page.waitForSelector("text=Import 11 users");
    await importAll(page, "Import 11 users");

    const visitor = await scene.browser.newContext({ locale: "en-US" });
    const other = await visitor.newPage();
    await other.goto(`${ORIGIN}/console/`);
    await other.fill("#username", "argon2");
    await other.fill("#password", `${KEYCLOAK_PASSWORD}argon2`);
    await other.keyboard.press("Enter");
    await other.waitForSelector("text=You have no role");
    await visitor.close();

    const before = await peopleOf(orgId);
    await page.click("text=Undo the import");
    await page.waitForSelector(
      "dialog >> text=Of the 11 users who were imported, 11 still exist, and 1 have signed in",
    );
    await page.check("text=Keep users who have signed in");
    await page.click("text=Remove 10 users");
    await page.waitForSelector("text=Removed: 10. Kept: 1.");
    const after = await peopleOf(orgId);
    expect(before.length - after.length).toBe(10);
    expect(after.map(({ user_name }) => user_name)).toContain("argon2");

    // The same file makes the removed users again, with new ids.
    await page.click("text=Show what will happen");
    await page.waitForSelector(".counts");
    expect(await counts(page)).toMatchObject({ "To import": "10", "Exist already": "1" });
    await importAll(page, "Import 10 users");
    const ids = new Set(before.map(({ id }) => id));
    const again = await peopleOf(orgId);
    expect(again.filter(({ id, user_name }) => user_name.startsWith("sha") && !ids.has(id))).toHaveLength(3);
    expectNoProblems(person);
    await person.close();
  });

  test("the same file is the same run, with the keys of the command", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signet-import-"));
    const person = await openImport();
    const { page, orgId } = person;
    const chosen = [newId(), newId()];
    const content = chosen
      .map((id) => JSON.stringify({ id, email: `${id}@example.com`, displayName: `User ${id}`, emailVerified: true }))
      .join("\n");
    const keys: string[] = [];
    page.on("request", (request) => {
      const body = request.url().endsWith("/BulkImportHumanUsers") ? request.postDataBuffer() : null;
      if (body === null) return;
      // After the prefix of the gRPC message.
      const { users } = fromBinary(BulkImportHumanUsersRequestSchema, body.subarray(5));
      keys.push(...users.map(({ idempotencyKey }) => idempotencyKey));
    });
    const importFile = async () => {
      await page.click("summary");
      await page.check("text=Split the display name");
      await preview(page, "signet", { name: "users.ndjson", content });
    };
    await importFile();
    await importAll(page, "Import 2 users");

    const client = createSignetClient({ baseUrl: scene.service.origin, token: scene.service.adminToken });
    // What `signet users import --from signet --names split` does with the file.
    const path = join(folder, "users.ndjson");
    writeFileSync(path, content);
    const run = await openRunFolder(join(folder, "runs"), {
      from: "signet",
      target: await openTarget({ ...client, isServer: true }, { place: ORIGIN, orgId, orgs: {} }),
      files: [{ name: path, path }],
      options: {
        ...{ names: ["split"], subjects: "ids", messages: "send", idps: {}, orgs: {} },
        ...{ dropInvalid: [], allowShared: [], map: {} },
      },
    });
    rmSync(folder, { recursive: true });
    const expected = await Promise.all(chosen.map((id) => sha256(`${run.state.key} ${id}`)));
    expect(keys.sort()).toEqual(expected.sort());
    await page.waitForSelector(`code >> text="${run.state.run}"`);

    // Also after a reload, which forgets everything.
    page.on("dialog", (dialog) => dialog.accept());
    await page.reload();
    await page.waitForSelector("main form");
    const before = await peopleOf(orgId);
    await importFile();
    expect(await counts(page)).toMatchObject({ "To import": "0", "Exist already": "2" });
    await importAll(page, "Compare 2 existing users");
    expect(await counts(page)).toMatchObject({ Imported: "2", Refused: "0" });
    expect(await peopleOf(orgId)).toEqual(before);
    await page.click("text=Undo the import");
    await page.click("text=Remove 2 users");
    await page.waitForSelector("text=Removed: 2. Kept: 0.");
    expect(await peopleOf(orgId)).toEqual([]);

    // The service still has the responses of the first time.
    await page.reload();
    await page.waitForSelector("main form");
    await importFile();
    await importAll(page, "Import 2 users");
    expect(await peopleOf(orgId)).toHaveLength(2);
    expectNoProblems(person);
    await person.close();
  });

  test("users of an earlier import are changed to what the export says, after their differences, and the change is undone", async () => {
    const person = await openImport();
    const { page, orgId } = person;
    const table = (lastName: string, plan: string, gender: string) =>
      [
        "id,email,email verified,first name,last name,plan,gender",
        `1,ada@example.com,true,Ada,${lastName},${plan},${gender}`,
        `2,grace@example.com,true,Grace,${lastName},${plan},${gender}`,
        "3,joan@example.com,true,Joan,Clarke,silver,",
      ].join("\n");
    const setFile = (content: string) =>
      page.setInputFiles("input[type=file]", {
        ...{ name: "users.csv", mimeType: "text/csv", buffer: Buffer.from(content) },
      });
    await setFile(table("King", "silver", ""));
    await page.getByLabel("Field: plan").selectOption({ label: "Metadata" });
    await page.click("text=Show what will happen");
    await importAll(page, "Import 3 users");
    const [ada, grace] = await peopleOf(orgId);
    const renamed = { userId: grace?.id ?? "", firstName: "Grace", lastName: "Murray", displayName: "Grace King" };
    await call(scene.service, "UpdateHumanProfile", renamed, { "x-service-orgid": orgId });
    const lastNames = async () => (await peopleOf(orgId)).map(({ last_name }) => last_name);

    await page.click("text=Import another file");
    await page.check("text=Also change users of earlier imports");
    await setFile(table("Lovelace", "gold", "female"));
    await page.click("text=Show what will happen");
    await page.waitForSelector(".counts");
    expect(await counts(page)).toMatchObject({ "To import": "0", "Exist already": "3", "To change": "2" });
    const rows = page.locator("section:has(h2:text-is('To change')) tbody tr");
    const cells = async () => Promise.all((await rows.all()).map((row) => row.locator("td").allTextContents()));
    const ofAda = [
      ["1", "Last name", "King", "Lovelace"],
      ["1", "Display name", "Ada King", "Ada Lovelace"],
      ["1", "Gender", "Not given", "Female"],
      ["1", "Metadata: plan", "silver", "gold"],
    ];
    const ofGrace = [
      ["2", "Gender", "Not given", "Female"],
      ["2", "Metadata: plan", "silver", "gold"],
    ];
    expect((await cells()).sort()).toEqual([...ofAda, ...ofGrace].sort());
    await page.waitForSelector("tr:has-text('Last name (changed since the import)')");
    expect(await findViolations(page)).toEqual([]);
    expect(await lastNames()).toEqual(["King", "Murray", "Clarke"]);

    await importAll(page, "Update 2 users");
    expect(await counts(page)).toMatchObject({ "Existed, changed": "2", "Existed, the same": "1", Imported: "0" });
    expect(await lastNames()).toEqual(["Lovelace", "Murray", "Clarke"]);
    expect(await page.locator("section:has(h2:text-is('Existed, changed')) tbody tr").count()).toBe(6);

    await page.click("text=Undo the import");
    await page.waitForSelector("dialog >> text=Changed users who get their earlier values back: 2.");
    expect(await findViolations(page)).toEqual([]);
    await page.click("dialog >> button >> text=Undo the import");
    await page.waitForSelector("text=Users with their earlier values: 2.");
    const before = await peopleOf(orgId);
    expect(before.map(({ last_name, gender }) => [last_name, gender])).toEqual([
      ...[
        ["King", 0],
        ["Murray", 0],
        ["Clarke", 0],
      ],
    ]);

    // The same file is the same run, whose calls were made before.
    await page.click("text=Show what will happen");
    await importAll(page, "Update 2 users");
    expect(await lastNames()).toEqual(["Lovelace", "Murray", "Clarke"]);
    const metadata = scene.service.db
      .selectFrom("user_metadata")
      .selectAll()
      .where("user_id", "=", ada?.id ?? "");
    const plan = await metadata.where("key", "=", "plan").executeTakeFirst();
    expect(plan?.value.toString()).toBe("gold");
    expectNoProblems(person);
    await person.close();
  });

  test("the page reacts while it imports 2,000 users: the import is paused and continued", async () => {
    const person = await openImport();
    const { page, orgId } = person;
    await page.evaluate(() => {
      const longest = { ms: 0 };
      Object.assign(globalThis, { longest });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
      }).observe({ type: "longtask" });
    });
    const rows = Array.from({ length: 2_000 }, (_, n) => `${n},user-${n}@example.com,User,Number ${n},true,${HASH}`);
    const content = ["id,email,first name,last name,email verified,password hash", ...rows].join("\n");
    const previewedAt = performance.now();
    await preview(page, "csv", { name: "users.csv", content });
    const previewMs = performance.now() - previewedAt;
    await page.click("text=Import 2,000 users");
    await page.click("text=Pause");
    await page.waitForSelector("text=The import is paused.");
    const { length } = await peopleOf(orgId);
    expect(length).toBeLessThan(2_000);
    expect(await counts(page)).toMatchObject({ Imported: new Intl.NumberFormat("en").format(length) });
    await importAll(page, "Continue");
    expect(await counts(page)).toMatchObject({ Imported: "2,000", Refused: "0" });
    expect(await peopleOf(orgId)).toHaveLength(2_000);
    // A page that checked the file without pauses would take longer at once: most of the time of the preview, however slow the
    // machine is.
    expect(await page.evaluate("longest.ms")).toBeLessThan(Math.max(1_000, previewMs / 2));
    expectNoProblems(person);
    await person.close();
  });

  test("if the session ends meanwhile, the page says so, keeps what it has, and offers to continue", async () => {
    const { page, userId, orgId, close } = await openImport();
    await preview(page, "csv", { name: "users.csv", content: CSV });
    await scene.service.db.deleteFrom("oidc_artifacts").where("user_id", "=", userId).execute();
    await page.click("text=Import 3 users");
    await page.waitForSelector("dialog >> text=You have been signed out");
    await page.click("dialog >> text=Cancel");
    await page.waitForSelector("text=The import has stopped");
    await page.waitForSelector("button >> text=Continue");
    expect(await peopleOf(orgId)).toEqual([]);
    await close();
  });

  test("leaving asks, and a link of the users page leads here", async () => {
    const { orgId } = scene.service;
    const { page, close } = await scene.signIn({ role: "ORG_OWNER", path: `/orgs/${orgId}/users` });
    await page.click("text=Import users");
    await page.waitForURL(`${ORIGIN}/console/orgs/${orgId}/import`);
    await preview(page, "csv", { name: "users.csv", content: CSV });
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.click("nav >> text=Audit");
    expect(asked).toEqual(["Leave the import? The preview and the report exist only on this page."]);
    expect(page.url()).toBe(`${ORIGIN}/console/orgs/${orgId}/import`);
    await close();
  });

  test("an owner of the organization is told that applications see new ids, and somebody who reads may not import", async () => {
    const { orgId } = scene.service;
    const owner = await openImport({ role: "ORG_OWNER" }, orgId);
    await owner.page.click("summary");
    await owner.page.waitForSelector("text=Applications see a new id (sub).");
    const id = newId();
    const content = JSON.stringify({ id, email: `${id}@example.com`, firstName: "A", lastName: "B" });
    await preview(owner.page, "signet", { name: "users.ndjson", content });
    await importAll(owner.page, "Import 1 user");
    await owner.close();
    const reader = await openImport({ role: "ORG_VIEWER" }, orgId);
    await reader.page.waitForSelector("text=Your role does not allow you to add users");
    expect(await reader.page.locator("main button, main input").count()).toBe(0);
    await reader.page.goto(`${ORIGIN}/console/orgs/${orgId}/users`);
    await reader.page.waitForSelector("tbody tr");
    expect(await reader.page.locator("text=Import users").count()).toBe(0);
    await reader.close();
  });

  test("it is in German, too", async () => {
    const { page, close } = await openImport({ locale: "de-DE" });
    await page.waitForSelector("h1 >> text=Benutzer importieren");
    await page.setInputFiles("input[type=file]", {
      ...{ name: "users.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) },
    });
    await page.click("text=Zeigen, was geschehen wird");
    await page.waitForSelector(
      "tr:has-text('E-Mail-Adresse: muss eine E-Mail-Adresse mit einem @ sein') >> text=users.csv:4",
    );
    await page.waitForSelector("text=gehört schon zu einem früheren Datensatz: users.csv:2");
    await page.waitForSelector("tr:has-text('Spalte shoe size')");
    await picture(page, "console-import-refusals-german");
    await close();
  });

  test("the keyboard alone imports", async () => {
    const { page, orgId, close } = await openImport();
    await page.setInputFiles("input[type=file]", {
      ...{ name: "users.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) },
    });
    // The columns of the file are shown first.
    await page.waitForSelector("button:enabled >> text=Show what will happen");
    await page.locator("text=Show what will happen").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".counts");
    await page.locator("button >> text=Import 3 users").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("text=The import is complete.");
    expect(await peopleOf(orgId)).toHaveLength(3);
    await close();
  });
});
