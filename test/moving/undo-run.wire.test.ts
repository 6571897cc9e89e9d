import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { createSignetClient } from "../../clients/typescript/src/web.ts";
import { openLineFile } from "../../src/moving/report/append-lines.ts";
import { openRunFolder } from "../../src/moving/report/run-folder.ts";
import { openTarget } from "../../src/moving/target.ts";
import { undoRun } from "../../src/moving/undo-run.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const runs = mkdtempSync(join(tmpdir(), "signet-undo-run-"));
let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
});
afterAll(async () => {
  await service?.close();
  rmSync(runs, { recursive: true });
});

/** The parts of the undo of a run that has imported one user, into a new organization. */
async function importUser(name: string) {
  const orgId = await service.createOrg(name);
  /** Runs before each call; throws if the server is away. */
  let beforeCall = () => {};
  const client = createSignetClient({
    ...{ baseUrl: service.origin, token: service.adminToken, orgId, retry: false },
    interceptors: [
      (next) => (request) => {
        beforeCall();
        return next(request);
      },
    ],
  });
  const target = await openTarget({ ...client, isServer: true }, { place: service.origin, orgId, orgs: {} });
  const folder = await openRunFolder(runs, {
    ...{ from: "signet", target, files: [] },
    options: {
      ...{ names: [], subjects: "new", messages: "none", idps: {}, orgs: {} },
      ...{ dropInvalid: [], allowShared: [], map: {} },
    },
  });
  const { userId } = await client.management.importHumanUser({
    ...{ userName: name, profile: { firstName: "Ada", lastName: "Lovelace" } },
    email: { email: "ada@example.com", isEmailVerified: true },
  });
  const report = openLineFile(folder.files.report);
  report.append({ n: 0, file: "users.ndjson", line: 1, sourceId: "a", outcome: "imported", userId, orgId });
  report.close();
  const stopper = new AbortController();
  return {
    parts: {
      ...{ target, folder, keepsSignedIn: false, concurrency: 4, stopped: stopper.signal },
      ...{ out: { write() {} }, confirm: async () => {} },
    },
    stop: () => stopper.abort(),
    /** The next call does not reach the server. */
    failNextCall(onFailure = () => {}) {
      beforeCall = () => {
        beforeCall = () => {};
        onFailure();
        throw new ConnectError("the server is away", Code.Unavailable);
      };
    },
  };
}

test("Ctrl-C while a call waits to be repeated stops the undo before and after the question", async () => {
  const { parts, stop, failNextCall } = await importUser("stopped");
  failNextCall(stop);
  const stopped = { removed: 0, kept: 0, updated: 0, restored: 0, changedSince: 0, refused: [], isComplete: false };
  expect(await undoRun(parts)).toEqual({
    run: parts.folder.state.run,
    imported: 0,
    existing: 0,
    signedIn: 0,
    ...stopped,
  });

  const again = await importUser("stopped later");
  const confirm = async () => again.failNextCall(again.stop);
  const { run } = again.parts.folder.state;
  expect(await undoRun({ ...again.parts, confirm })).toEqual({
    run,
    imported: 1,
    existing: 1,
    signedIn: 0,
    ...stopped,
  });
});

test("the time until the answer is no outage", async () => {
  const { parts, failNextCall } = await importUser("slow answer");
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, "now");
  try {
    const confirm = async () => {
      clock.mockImplementation(() => now() + 10 * 60_000);
      failNextCall();
    };
    expect(await undoRun({ ...parts, confirm })).toMatchObject({ removed: 1, refused: [], isComplete: true });
  } finally {
    clock.mockRestore();
  }
});
