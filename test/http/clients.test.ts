import { type Budgets, DEFAULT_BUDGETS } from "../../src/http/budgets.ts";
import { type Client, createClients, type Refusal } from "../../src/http/clients.ts";

function setUp(budgets: Partial<Budgets>) {
  const clock = { ms: 0 };
  const clients = createClients({ ...DEFAULT_BUDGETS, ...budgets }, () => clock.ms);
  const open = (address = "192.0.2.1") => clients.openConnection(clients.find(address)) ?? clients.find(address);
  const admit = (client: Client) => clients.admitRequest(client, client.strangers);
  return { clock, clients, open, admit };
}

function opened(client: Client | Refusal): Client {
  if (typeof client === "string") throw new Error(`refused: ${client}`);
  return client;
}

test("an address gets its connections and no more, until one is closed", () => {
  const { clients, open } = setUp({ connectionsPerAddress: 2 });
  const first = opened(open());
  opened(open());
  expect(open()).toBe("too many connections");
  opened(open("192.0.2.2"));
  clients.closeConnection(first, false);
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
  for (let count = 0; count < 3; count++) clients.closeConnection(opened(open()), false);
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
  const { clock, clients, admit } = setUp({ requests: { burst: 2, perSecond: 1 } });
  const client = clients.find("192.0.2.1");
  for (let count = 0; count < 100; count++) {
    expect(admit(client)).toBeUndefined();
    clients.closeRequest(client.strangers, true);
  }
  for (let count = 0; count < 2; count++) {
    expect(admit(client)).toBeUndefined();
    clients.closeRequest(client.strangers, false);
  }
  expect(admit(client)).toBe("too many requests");
  clock.ms += 1_000;
  expect(admit(client)).toBeUndefined();
});

test("open requests of unauthenticated clients are limited for one address and in total", () => {
  const { clients, admit } = setUp({ openRequests: 3, openRequestsPerAddress: 2 });
  const [one, other] = [clients.find("192.0.2.1"), clients.find("192.0.2.2")];
  expect([admit(one), admit(one)]).toEqual([undefined, undefined]);
  expect(admit(one)).toBe("too many requests");
  expect(admit(other)).toBeUndefined();
  expect(admit(other)).toBe("too many requests");
  clients.closeRequest(one.strangers, false);
  expect(admit(other)).toBeUndefined();
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
  clients.closeConnection(client, false);
  clock.ms += 4_999;
  clients.sweep();
  expect(clients.size).toBe(1);
  clock.ms += 1;
  clients.sweep();
  expect(clients.size).toBe(0);
});

test("an account of its own has the same budget, and does not need room among strangers", () => {
  const { clients, open, admit } = setUp({ requests: { burst: 1, perSecond: 0 }, openRequests: 1 });
  const client = opened(open());
  const account = clients.openAccount(client);
  if (account === undefined) throw new Error("no account");
  expect(admit(client)).toBeUndefined();
  expect(admit(client)).toBe("too many requests");
  expect(clients.admitRequest(client, account)).toBeUndefined();
  expect(clients.admitRequest(client, account)).toBe("too many requests");
});

test("connections with an account have a limit of their own, and count against their address without one", () => {
  const { clients, open } = setUp({ connectionsPerAddress: 1 });
  const client = opened(open());
  expect(open()).toBe("too many connections");
  clients.openAccount(client);
  opened(open());
  expect(clients.openAccount(client)).toBeUndefined();
  clients.closeAccount(client);
  expect(open()).toBe("too many connections");
});

test("connections over the budget are held while the budget for recognized credentials lasts", () => {
  const { clock, clients, open } = setUp({ connectionsPerAddress: 0, recognized: { burst: 5, perSecond: 1 } });
  expect(open()).toBe("too many connections");
  const client = clients.find("192.0.2.1");
  expect([clients.holdConnection(client, 2), clients.holdConnection(client, 2)]).toEqual([true, true]);
  expect(clients.holdConnection(client, 2)).toBe(false);
  clock.ms += 1_000;
  expect(clients.holdConnection(client, 2)).toBe(true);
});

test("failures on connections with an account are counted separately", () => {
  const { clients } = setUp({ failures: { burst: 1, perSecond: 1 } });
  const client = clients.find("192.0.2.1");
  clients.countFailure(client);
  expect([clients.failureWaitMs(client), clients.failureWaitMs(client, true)]).toEqual([1_000, 0]);
  clients.countFailure(client, true);
  expect(clients.failureWaitMs(client, true)).toBe(1_000);
});
