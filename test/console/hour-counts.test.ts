import { create } from "@bufbuild/protobuf";
import { countEvents } from "../../console/screens/audit/hour-counts.ts";
import { EventSchema } from "../../gen/signet/v1/event_pb.js";

const EVENT = create(EventSchema, {});

/** The pages that the service returns one after another, each with the number of its events. */
function pagesOf(...counts: readonly number[]) {
  const asked: unknown[] = [];
  return {
    asked,
    async list({ sequence, limit }: { sequence?: bigint; limit?: number }) {
      asked.push([sequence, limit]);
      const page = asked.length;
      const events = Array.from({ length: counts[page - 1] ?? 0 }, () => EVENT);
      return { events, nextSequence: page < counts.length ? BigInt(page) : 0n };
    },
  };
}

test("rare events are counted as a whole, though a call examines only some", async () => {
  const { list, asked } = pagesOf(2, 0, 1);
  const { times, isMore } = await countEvents(list, {});
  expect({ count: times.length, isMore }).toEqual({ count: 3, isMore: false });
  expect(asked).toEqual([
    [0n, 1_000],
    [1n, 998],
    [2n, 998],
  ]);
});

test.each([
  ["of the thousandth event", [1_000, 1], 1_000, 1],
  ["of ten calls", Array.from({ length: 11 }, () => 1), 10, 10],
])("counting ends at the end %s, and says that there is more", async (_, counts, found, calls) => {
  const { list, asked } = pagesOf(...counts);
  const { times, isMore } = await countEvents(list, {});
  expect({ count: times.length, isMore, calls: asked.length }).toEqual({ count: found, isMore: true, calls });
});
