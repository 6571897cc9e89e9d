import { notifyInTurn, SESSIONS_AT_ONCE } from "../../src/oidc/back-channel-logout.ts";

const toSessions = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ userId: String(number), authorizations: {} }));

test.each([0, 1, SESSIONS_AT_ONCE, 10 * SESSIONS_AT_ONCE + 1])(
  "of %d ended sessions, each is notified once and in order, and few at the same time",
  async (count) => {
    const sessions = toSessions(count);
    const notified: string[] = [];
    let running = 0;
    let most = 0;
    await notifyInTurn(sessions, async ({ userId }) => {
      notified.push(userId);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
    expect(notified).toEqual(sessions.map(({ userId }) => userId));
    expect(most).toBe(Math.min(count, SESSIONS_AT_ONCE));
  },
);

test("an application that does not respond delays only some of the sessions", async () => {
  const hanging = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  let rest = 3 * SESSIONS_AT_ONCE;
  const ended = notifyInTurn(toSessions(rest + 1), async ({ userId }) => {
    if (userId === "0") return await hanging.promise;
    rest -= 1;
    if (rest === 0) others.resolve();
  });
  await others.promise;
  hanging.resolve();
  await ended;
});
