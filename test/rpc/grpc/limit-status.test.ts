import { create } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { BadRequestSchema } from "../../../gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.js";
import { invalidArgument } from "../../../src/errors.ts";
import { limitStatus } from "../../../src/rpc/grpc/limit-status.ts";
import { toStatus } from "../../../src/rpc/status.ts";

test("a message is shortened to 1,500 bytes in percent-encoding, between two characters", () => {
  const { message } = limitStatus(create(StatusSchema, { message: "😀".repeat(200) }));
  expect(message).toBe(`${"😀".repeat(124)}…`);
  expect(limitStatus(create(StatusSchema, { message: "😀".repeat(125) })).message).toBe("😀".repeat(125));
});

test("the last violation says how many more there are", () => {
  const violations = Array.from({ length: 100 }, (_, at) => ({ field: `a[${at}]`, description: "x".repeat(60) }));
  const { details } = limitStatus(toStatus(invalidArgument(...violations)));
  const [listed] = details.flatMap((detail) => anyUnpack(detail, BadRequestSchema) ?? []);
  const count = (listed?.fieldViolations.length ?? 0) - 1;
  expect(listed?.fieldViolations).toMatchObject([
    ...violations.slice(0, count),
    { field: "", description: `and ${100 - count} more` },
  ]);
});
