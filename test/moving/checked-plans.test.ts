import { create } from "@bufbuild/protobuf";
import { UserSchema } from "../../gen/signet/v1/user_pb.js";
import { createMemoryIndex } from "../../src/moving/memory-index.ts";
import { findPlan, keepPlan } from "../../src/moving/running/checked-plans.ts";

test("the plan of the check holds until the user changes", () => {
  const index = createMemoryIndex();
  const user = (sequence: bigint) => create(UserSchema, { details: { sequence } });
  const change = { field: "phone", from: null, to: { value: "+41791234567", isVerified: true } };
  const plan = { changes: [change], kept: ["email"], others: ["state"], changesName: false };
  keepPlan(index, 4, user(2n), plan);
  expect(findPlan(index, 4, user(2n))).toEqual(plan);
  expect(findPlan(index, 4, user(3n))).toBeUndefined();
  expect(findPlan(index, 5, user(2n))).toBeUndefined();
});
