import { expect, test } from "@jest/globals";
import { type Budgets, DEFAULT_BUDGETS } from "../../src/http/budgets.ts";
import { type Client, createClients } from "../../src/http/clients.ts";

function setUp(budgets: Partial<Budgets>) {
  const clock = { ms: 0 };
  const clients = createClients({ ...DEFAULT_BUDGETS, ...budgets }, () => clock.ms);
  const open = (address = "192.0.2.1") => clients.openConnection(address);
  return { clock, clients, open };
}

function opened(client: ReturnType<ReturnType<typeof createClients>["openConnection"]>): Client {
  if (typeof client === "string") throw new Error(`refused: ${client}`);
  return client;
}

test("an address gets its connections and no more, until one is closed", () => {
  const { clients, open } = setUp({ connectionsPerAddress: 2 });
  const first = opened(open());
  opened(open());
  expect(open()).toBe("too many connections");
  opened(open("192.0.2.2"));
  clients.closeConnection(first);
  opened(open());
});

test("all addresses together get the total of connections", () => {
  const { open } = setUp({ connections: 2 });
  opened(open("192.0.2.1"));
  opened(open("192.0.2.2"));
  expect(open("192.0.2.3")).toBe("too many connections");
});

test("connections that are opened and closed use up the budget of new ones, which refills", () => {
  const { clock, clients, open } = setUp({ newConnections: { burst: 3, perSecond: 1 } });
  for (let count = 0; count < 3; count++) clients.closeConnection(opened(open()));
  expect(open()).toBe("too many new connections");
  clock.ms += 1_000;
  opened(open());
  expect(open()).toBe("too many new connections");
});

test("the addresses of an IPv6 network share one budget", () => {
  const { open } = setUp({ connectionsPerAddress: 1 });
  opened(open("2001:db8::1"));
  expect(open("2001:db8::2")).toBe("too many connections");
  opened(open("2001:db8:0:1::1"));
});

test("a penalized address waits, and others do not", () => {
  const { clock, clients, open } = setUp({ penaltyMs: 10_000 });
  clients.penalize(opened(open()));
  expect(open()).toBe("waiting");
  opened(open("192.0.2.2"));
  clock.ms += 10_000;
  opened(open());
});

test("requests of unauthenticated clients use up the budget; authorized requests are given back", () => {
  const { clock, clients } = setUp({ requests: { burst: 2, perSecond: 1 } });
  const client = clients.find("192.0.2.1");
  for (let count = 0; count < 100; count++) {
    expect(clients.admitRequest(client)).toBeUndefined();
    clients.closeRequest(client, true);
  }
  for (let count = 0; count < 2; count++) {
    expect(clients.admitRequest(client)).toBeUndefined();
    clients.closeRequest(client, false);
  }
  expect(clients.admitRequest(client)).toBe("too many requests");
  clock.ms += 1_000;
  expect(clients.admitRequest(client)).toBeUndefined();
});

test("open requests of unauthenticated clients are limited for one address and in total", () => {
  const { clients } = setUp({ openRequests: 3, openRequestsPerAddress: 2 });
  const [one, other] = [clients.find("192.0.2.1"), clients.find("192.0.2.2")];
  expect([clients.admitRequest(one), clients.admitRequest(one)]).toEqual([undefined, undefined]);
  expect(clients.admitRequest(one)).toBe("too many requests");
  expect(clients.admitRequest(other)).toBeUndefined();
  expect(clients.admitRequest(other)).toBe("too many requests");
  clients.closeRequest(one, false);
  expect(clients.admitRequest(other)).toBeUndefined();
});

test("failed attempts to authenticate make an address wait until the budget refills", () => {
  const { clock, clients } = setUp({ failures: { burst: 3, perSecond: 2 } });
  const client = clients.find("192.0.2.1");
  for (let count = 0; count < 3; count++) {
    expect(clients.failureWaitMs(client)).toBe(0);
    clients.countFailure(client);
  }
  expect(clients.failureWaitMs(client)).toBe(500);
  clock.ms += 500;
  expect(clients.failureWaitMs(client)).toBe(0);
});

test("a client without open requests or used budgets is dropped", () => {
  const { clock, clients, open } = setUp({ newConnections: { burst: 10, perSecond: 1 }, penaltyMs: 5_000 });
  const client = opened(open());
  clients.penalize(client);
  clients.sweep();
  expect(clients.size).toBe(1);
  clients.closeConnection(client);
  clock.ms += 4_999;
  clients.sweep();
  expect(clients.size).toBe(1);
  clock.ms += 1;
  clients.sweep();
  expect(clients.size).toBe(0);
});
