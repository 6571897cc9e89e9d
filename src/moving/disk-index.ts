import { hash } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Place, WorkIndex } from "./work-index.ts";

/** Changes in one transaction. */
const BATCH = 20_000;

/** Nothing has to survive a crash. 16 MiB of cache. */
const TABLES = `
  pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; pragma cache_size = -16384;
  create table seen (key blob primary key, file integer not null, line integer not null) without rowid;
  create table joined (id text not null, record text not null);
  create index joined__id on joined (id)`;

/** An index on disk, for what would not fit in memory. Closing it removes the file, which may contain hashes. */
export function createDiskIndex(path: string): WorkIndex {
  rmSync(path, { force: true });
  closeSync(openSync(path, "wx", 0o600));
  const database = new DatabaseSync(path);
  database.exec(`${TABLES}; begin`);
  const insert = database.prepare("insert or ignore into seen values (?, ?, ?)");
  const find = database.prepare("select file, line from seen where key = ?");
  const join = database.prepare("insert into joined values (?, ?)");
  const findJoined = database.prepare("select record from joined where id = ? order by rowid");
  let changes = 0;
  const count = () => {
    changes += 1;
    if (changes % BATCH === 0) database.exec("commit; begin");
  };
  return {
    claim(kind, value, { file, line }) {
      // Half of SHA-256: two values of a billion are the same with a probability of 1 in 10^20.
      const key = hash("sha256", `${kind}\0${value}`, "buffer").subarray(0, 16);
      if (insert.run(key, file, line).changes === 1) {
        count();
        return undefined;
      }
      return find.get(key) as unknown as Place;
    },
    addValues(kind, key, values) {
      join.run(`${kind} ${key}`, values);
      count();
    },
    findValues: (kind, key) => findJoined.all(`${kind} ${key}`).map(({ record }) => String(record)),
    close() {
      database.close();
      rmSync(path, { force: true });
    },
  };
}
