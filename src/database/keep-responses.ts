import {
  type Compilable,
  type CompiledQuery,
  createQueryId,
  type Expression,
  type Kysely,
  type OperationNode,
  type RootOperationNode,
  type SelectQueryNode,
  sql,
  type WithNode,
} from "kysely";
import type { Param } from "./prepare.ts";
import type { Tables } from "./tables.ts";

/**
 * The second form of a writing statement: it also stores the responses, so it fails as a whole if one of the keys has
 * been used.
 *
 * `with <parts> <query>` becomes
 * `with <parts>, carried_out as (<query>), kept as (insert …) select * from carried_out`.
 *
 * @param options `isDone`: see `prepareWrite`. `list`: the parameter with a list of arrays in JSON, each with a
 *   `KeptRow` (src/call.ts) as its last item. If it is `commands`, the query returns rows with the `number` of
 *   the command. If it is `kept`, the list has one array, and the query returns one row.
 */
export function keepResponses<Row, Values extends object>(
  db: Kysely<Tables>,
  { query }: CompiledQuery<Row>,
  param: Param<Values>,
  { list, isDone }: { readonly list: keyof Values & ("kept" | "commands"); readonly isDone: Expression<boolean> },
): Compilable<Row> {
  const { with: parts, ...main } = query as RootOperationNode & { readonly with?: WithNode };
  const isSameCommand = list === "commands" ? sql`given.number = carried_out.number` : sql`true`;
  const outer = db
    .with("carried_out", () => expressionOf(main))
    .with(
      "kept",
      () => sql<object>`(
        insert into idempotency_keys (caller_id, key_hash, request_mac, answer, master_key, sequence, creation_date,
          change_date, expires_at)
        select kept."callerId", kept."keyHash", kept."requestMac", kept.answer, kept."masterKey", carried_out.sequence,
          carried_out.created_at, carried_out.changed_at, kept."expiresAt"
        from carried_out
          join jsonb_array_elements(${param(list, "jsonb")}) with ordinality as given (value, number) on ${isSameCommand},
          jsonb_to_record(given.value -> -1) as kept ("callerId" uuid, "keyHash" bytea, "requestMac" bytea,
            answer bytea, "masterKey" text, "expiresAt" timestamptz)
        where ${isDone}
        order by kept."keyHash")`,
    )
    .selectFrom(sql<object>`carried_out`.as("answered"))
    .selectAll();
  const node = outer.toOperationNode() as SelectQueryNode;
  const expressions = [...(parts?.expressions ?? []), ...(node.with?.expressions ?? [])];
  const all = { ...node, with: { ...node.with, kind: "WithNode", expressions } } as const;
  return { compile: (): CompiledQuery<Row> => db.getExecutor().compileQuery<Row>(all, createQueryId()) };
}

function expressionOf(node: object): Expression<object> {
  return { expressionType: undefined, toOperationNode: () => node as OperationNode };
}
