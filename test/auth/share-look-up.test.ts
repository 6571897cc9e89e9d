import { describe, expect, it } from "@jest/globals";
import { shareLookUp } from "../../src/auth/share-look-up.ts";

describe("a shared look-up", () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  it("is made once for all who ask for the same in one turn, after the last of them asked", async () => {
    const begun: string[] = [];
    const find = shareLookUp(
      async (name: string) => begun.push(name),
      (name) => name,
    );
    const answers = [find("a"), find("b")];
    await Promise.resolve();
    answers.push(find("a"));
    expect(begun).toEqual([]);
    expect(await Promise.all(answers)).toEqual([1, 2, 1]);
    expect(begun).toEqual(["a", "b"]);
  });

  it("is made again for whoever asks in a later turn, even while the first is under way", async () => {
    const answer: ((value: number) => void)[] = [];
    const find = shareLookUp(
      () => new Promise<number>((resolve) => answer.push(resolve)),
      () => "",
    );
    const first = find("a");
    await nextTurn();
    const second = find("a");
    await nextTurn();
    answer[1]?.(2);
    answer[0]?.(1);
    expect(await Promise.all([first, second])).toEqual([1, 2]);
  });

  it("that fails, fails for those who share it and for nobody else", async () => {
    let fails = true;
    const find = shareLookUp(
      async () => {
        if (fails) throw new Error("out of reach");
        return "found";
      },
      () => "",
    );
    const both = await Promise.allSettled([find("a"), find("a")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    fails = false;
    expect(await find("a")).toBe("found");
  });
});
