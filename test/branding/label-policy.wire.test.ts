import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { createPng, createSvg, PNG, SVG } from "../support/branding.ts";
import { type Caller, createCaller, type Rpc } from "../support/clients/callers.ts";
import { expectError } from "../support/clients/errors.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const SETTINGS = {
  primaryColor: "#0F766E",
  primaryColorDark: "#5eead4",
  disableWatermark: true,
  name: " Example ",
  supportAddress: "help@example.com",
  termsUrl: "https://example.com/terms",
  privacyUrl: "https://example.com/privacy",
};
const SHOWN = { ...SETTINGS, primaryColor: "#0f766e", name: "Example" };

let service: TestService;
let caller: Caller;
let orgId: string;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("grpc", service, service.adminToken);
  orgId = await service.createOrg("Org");
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

/** Starts calls while the branding of an organization is locked, and releases it once they all wait. */
async function whileLocked<T>(orgId: string, start: () => Promise<T[]>): Promise<T[]> {
  let started: Promise<T[]> | undefined;
  await service.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom("brandings").select("id").where("owner_id", "=", orgId).forUpdate().execute();
    started = start();
    await untilBlocked(service.db, 5);
  });
  return (await started) ?? [];
}

const call = (rpc: Rpc, request: JsonObject = {}, headers = {}) =>
  caller.call(rpc, request, { "x-service-orgid": orgId, ...headers });
const send = async (rpc: Rpc, request: JsonObject = {}, headers = {}): Promise<JsonObject> => {
  const outcome = await call(rpc, request, headers);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome.message;
};
const expectRefused = (rpc: Rpc, request: JsonObject, fields: string[]) =>
  expectError(service.db, "grpc", () => call(rpc, request), "INVALID_ARGUMENT", fields);

test("an organization inherits the policy of the instance, which is built in, until it has activated its own", async () => {
  expect(await send("GetLabelPolicy")).toMatchObject({ isDefault: true, policy: { isDefault: true } });

  const ofInstance = { details: { sequence: "1", resourceOwner: service.instanceId } };
  expect(await send("UpdateLabelPolicy", { primaryColor: "#7c2d12" })).toMatchObject(ofInstance);
  expect(await send("AdminService.GetLabelPolicy")).toMatchObject({ policy: { isDefault: true } });
  await send("ActivateLabelPolicy");
  const inherited = {
    isDefault: true,
    policy: { primaryColor: "#7c2d12", details: { resourceOwner: service.instanceId } },
  };
  expect(await send("GetLabelPolicy")).toMatchObject(inherited);

  const headers = { "idempotency-key": "add" };
  const added = await send("AddCustomLabelPolicy", SETTINGS, headers);
  expect(added).toMatchObject({ details: { sequence: "1", resourceOwner: orgId } });
  expect(await send("AddCustomLabelPolicy", SETTINGS, headers)).toEqual(added);
  expect(await send("GetLabelPolicy")).toMatchObject(inherited);
  expect(await send("GetPreviewLabelPolicy")).toMatchObject({ policy: SHOWN, previewLifetime: "3600s" });

  expect(await send("ActivateCustomLabelPolicy")).toMatchObject({ details: { sequence: "2" } });
  expect(await send("ActivateCustomLabelPolicy")).toMatchObject({ details: { sequence: "2" } });
  const { policy } = await send("GetLabelPolicy");
  expect(policy).toMatchObject({ ...SHOWN, details: { sequence: "2", resourceOwner: orgId } });
  await expectError(service.db, "grpc", () => call("AddCustomLabelPolicy", SETTINGS), "POLICY_EXISTS");
});

test("settings are replaced, and images are kept", async () => {
  await send("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_LOGO", data: PNG.toString("base64") });
  for (const _attempt of [1, 2]) {
    expect(await send("UpdateCustomLabelPolicy", { name: "Other" })).toMatchObject({ details: { sequence: "4" } });
  }
  const { policy } = await send("GetPreviewLabelPolicy");
  expect(policy).toMatchObject({
    name: "Other",
    logoUrl: expect.stringMatching(/\/ui\/brand\/[\w-]{43}\.png$/),
  });
  expect(await send("GetLabelPolicy")).toMatchObject({ policy: SHOWN });
});

test("images are deleted once neither the edited nor the active policy uses them", async () => {
  const [first, second] = [PNG, createPng({ color: [0, 0, 255] })];
  await send("ActivateCustomLabelPolicy");
  expect(await countImages()).toBe(1);
  const upload = { image: "LABEL_POLICY_IMAGE_LOGO", data: second.toString("base64") };
  await send("UploadCustomLabelPolicyImage", upload);
  expect(await countImages()).toBe(2);
  // The same image again is no change.
  const { details } = await send("UploadCustomLabelPolicyImage", upload);
  await send("ActivateCustomLabelPolicy");
  expect(details).toMatchObject({ sequence: "6" });
  expect(await countImages()).toBe(1);
  await send("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_ICON", data: first.toString("base64") });
  await send("UploadCustomLabelPolicyImage", {
    image: "LABEL_POLICY_IMAGE_LOGO_DARK",
    data: first.toString("base64"),
  });
  expect(await countImages()).toBe(2);
  await send("RemoveCustomLabelPolicyLogo");
  await send("RemoveCustomLabelPolicyIcon");
  await send("RemoveCustomLabelPolicyLogoDark");
  await send("RemoveCustomLabelPolicyLogoDark");
  await send("ActivateCustomLabelPolicy");
  expect(await countImages()).toBe(0);
});

test("an SVG file is stored sanitized, under a name of its own", async () => {
  const upload = (data: Buffer) => ({ image: "LABEL_POLICY_IMAGE_LOGO", data: data.toString("base64") });
  await send("UploadCustomLabelPolicyImage", upload(createSvg({ attack: "<script>alert(1)</script>" })));
  const { details } = await send("UploadCustomLabelPolicyImage", upload(SVG));
  const { policy } = await send("GetPreviewLabelPolicy");
  expect(policy).toMatchObject({ details, logoUrl: expect.stringMatching(/\/ui\/brand\/[\w-]{43}\.svg$/) });
  const stored = await service.db
    .selectFrom("branding_images")
    .select(["hash", "data"])
    .where("owner_id", "=", orgId)
    .execute();
  const hash = (policy as { logoUrl: string }).logoUrl.split("/").at(-1);
  expect(stored).toEqual([{ hash, data: SVG }]);
  await send("RemoveCustomLabelPolicyLogo");
  expect(await countImages()).toBe(0);
});

test("a reset removes the policy with its images, and there is nothing left to change", async () => {
  await send("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_ICON", data: PNG.toString("base64") });
  await send("ResetLabelPolicyToDefault");
  expect(await countImages()).toBe(0);
  expect(await send("GetLabelPolicy")).toMatchObject({ isDefault: true, policy: { primaryColor: "#7c2d12" } });
  for (const rpc of ["UpdateCustomLabelPolicy", "ActivateCustomLabelPolicy", "ResetLabelPolicyToDefault"] as const) {
    await expectError(service.db, "grpc", () => call(rpc), "POLICY_NOT_FOUND");
  }
  const upload = { image: "LABEL_POLICY_IMAGE_ICON", data: PNG.toString("base64") };
  await expectError(service.db, "grpc", () => call("UploadCustomLabelPolicyImage", upload), "POLICY_NOT_FOUND");
  expect(await countImages()).toBe(0);
  expect(await send("AddCustomLabelPolicy", { name: "Again" })).toMatchObject({
    details: { resourceOwner: orgId },
  });
  await send("ResetInstanceLabelPolicyToDefault");
  expect(await send("AdminService.GetLabelPolicy")).toMatchObject({ policy: { isDefault: true } });
});

test("colors that cannot be read, addresses, URLs and unsupported fields are refused by name", async () => {
  await expectRefused("UpdateLabelPolicy", { primaryColor: "#ffff00", primaryColorDark: "#000080" }, [
    "primaryColor",
    "primaryColorDark",
  ]);
  await expectRefused("UpdateLabelPolicy", { primaryColor: "red;}" }, ["primaryColor"]);
  await expectRefused(
    "UpdateLabelPolicy",
    { name: "a\u202eb", supportAddress: "help", termsUrl: "http://example.com", privacyUrl: "javascript:alert(1)" },
    ["name", "privacyUrl", "supportAddress", "termsUrl"],
  );
  const unsupported = {
    hideLoginNameSuffix: true,
    warnColor: "#111111",
    backgroundColor: "#111111",
    fontColor: "#111111",
  };
  await expectRefused("UpdateLabelPolicy", unsupported, Object.keys(unsupported).sort());
  const dark = { warnColorDark: "#111111", backgroundColorDark: "#111111", fontColorDark: "#111111" };
  await expectRefused(
    "UpdateLabelPolicy",
    { ...dark, themeMode: "THEME_MODE_DARK" },
    [...Object.keys(dark), "themeMode"].sort(),
  );
});

test("an image must be a PNG or SVG file of at most 512,000 bytes", async () => {
  const upload = (data: Buffer) => ({ image: "LABEL_POLICY_IMAGE_LOGO", data: data.toString("base64") });
  await expectRefused("UploadLabelPolicyImage", upload(Buffer.from("GIF89a")), ["data"]);
  await expectRefused("UploadLabelPolicyImage", upload(Buffer.from("<!doctype html><p>")), ["data"]);
  await expectRefused("UploadLabelPolicyImage", upload(createSvg({ attack: "<style>a{}</style>" })), ["data"]);
  await expectRefused("UploadLabelPolicyImage", upload(Buffer.alloc(512_001)), ["data"]);
  await expectRefused("UploadLabelPolicyImage", { data: PNG.toString("base64") }, ["image"]);
});

async function countImages(): Promise<number> {
  const rows = await service.db.selectFrom("branding_images").select("hash").where("owner_id", "=", orgId).execute();
  return rows.length;
}

test("concurrent changes of one branding run one after another", async () => {
  const orgId = await service.createOrg(randomUUID().slice(0, 8));
  const headers = { "x-service-orgid": orgId };
  const added = await Promise.all(
    Array.from({ length: 5 }, (_, index) => caller.call("AddCustomLabelPolicy", { name: `A${index}` }, headers)),
  );
  expect(added.filter(({ ok }) => ok)).toHaveLength(1);
  const images = Array.from({ length: 5 }, (_, index) => createPng({ color: [index, 0, 0] }).toString("base64"));
  const uploadAll = () =>
    Promise.all(
      images.map((data) =>
        caller.call("UploadCustomLabelPolicyImage", { image: "LABEL_POLICY_IMAGE_LOGO", data }, headers),
      ),
    );
  // All of them have started before the first one can write.
  const uploaded = await whileLocked(orgId, uploadAll);
  expect(uploaded.map(({ ok }) => ok)).toEqual(images.map(() => true));
  const { draft, sequence } = await service.db
    .selectFrom("brandings")
    .select(["draft", "sequence"])
    .where("owner_id", "=", orgId)
    .executeTakeFirstOrThrow();
  const stored = await service.db.selectFrom("branding_images").select("hash").where("owner_id", "=", orgId).execute();
  expect(sequence).toBe(6n);
  expect(stored).toEqual([{ hash: (draft as { logo: string }).logo }]);
});
