import { builtInLanguage } from "../../../src/texts/page-language.ts";
import { formatDay, formatTime } from "../../../src/web/frame/format-time.ts";

const TIME = new Date("2026-11-03T16:05:00Z");

test.each([
  ["en", "Nov 3, 2026", /^Nov 3, 2026, 4:05\sPM UTC$/],
  ["de", "03.11.2026", /^03\.11\.2026, 16:05 UTC$/],
] as const)("a time is shown in UTC, in the language of the page: %s", (tag, day, time) => {
  const language = builtInLanguage(tag);
  formatDay(language, TIME);
  formatTime(language, TIME);
  // The account page has hundreds of times.
  const created = jest.spyOn(Intl, "DateTimeFormat");
  expect(formatDay(language, TIME)).toBe(day);
  expect(formatTime(language, TIME)).toMatch(time);
  expect(created).not.toHaveBeenCalled();
  created.mockRestore();
});
