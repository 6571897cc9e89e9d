import { describe, expect, it } from "@jest/globals";
import { batchLookups } from "../../src/access/batch-lookups.ts";

describe("a look-up that is shared", () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const itself = (name: string) => name;

  it("is made once for all who ask in one turn, after the last of them asked", async () => {
    const lookUps: (readonly string[])[] = [];
    const find = batchLookups(async (names: readonly string[]) => {
      lookUps.push(names);
      return names.map((name) => name.toUpperCase());
    }, itself);
    const answers = [find("a"), find("b")];
    await Promise.resolve();
    answers.push(find("a"));
    expect(lookUps).toEqual([]);
    expect(await Promise.all(answers)).toEqual(["A", "B", "A"]);
    expect(lookUps).toEqual([["a", "b"]]);
  });

  it("is made again for whoever asks in a later turn, even while the first is under way", async () => {
    const answer: ((values: number[]) => void)[] = [];
    const find = batchLookups(() => new Promise<number[]>((resolve) => answer.push(resolve)), itself);
    const first = find("a");
    await nextTurn();
    const second = find("a");
    await nextTurn();
    answer[1]?.([2]);
    answer[0]?.([1]);
    expect(await Promise.all([first, second])).toEqual([1, 2]);
  });

  it("that fails, fails for those who share it and for nobody else", async () => {
    let fails = true;
    const find = batchLookups(async () => {
      if (fails) throw new Error("out of reach");
      return ["found"];
    }, itself);
    const both = await Promise.allSettled([find("a"), find("a")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    fails = false;
    expect(await find("a")).toBe("found");
  });
});
