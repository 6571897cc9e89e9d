import { EN_IMPORT } from "../../console/screens/import/texts/en.ts";
import { withLabels } from "../../console/screens/import/with-labels.ts";

test("options of the command are called as on the page", () => {
  expect(withLabels("is missing in the export; --names says what to do about that", EN_IMPORT)).toBe(
    'is missing in the export; "Users without a first or last name" says what to do about that',
  );
  expect(withLabels("a value with --dashes-", EN_IMPORT)).toBe("a value with --dashes-");
});
