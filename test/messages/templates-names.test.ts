import { toGreetingName, toShownAddress } from "../../src/messages/templates/shown-names.ts";

test.each([
  "Ada Lovelace",
  "Ada",
  "Ada King, Countess of Lovelace",
  "Dr. Ada Lovelace",
  "Ada Lovelace Jr.",
  "J. R. R. Tolkien",
  "J.R.R. Tolkien",
  "M.-L. von Franz",
  "Ada (Augusta) King-Noel",
  "Ada “Enchantress” Lovelace",
  "Miles O'Brien",
  "Flannery O’Connor",
  "Lili‘uokalani",
  "Kamehameha Kalākaua",
  "Mercè Rodoreda i Gurguí",
  "Gal·la Placídia",
  "Ada 2",
  "Ada 1815",
  "Зинаида Гиппиус",
  "阿达·洛芙莱斯",
  "エイダ・ラブレス",
  "에이다 러브레이스",
  "عمر الخيّام",
  "علی‌رضا",
  "שִׁמְעוֹן",
  "अदा लवलेस",
  "เอดา เลิฟเลซ",
  "Nguyễn Văn A",
  "a".repeat(60),
])("the greeting has the name %s", (name) => {
  expect(toGreetingName(name)).toBe(name);
});

test("spaces around a name are removed, and runs of spaces in it are collapsed", () => {
  expect(toGreetingName("  Ada \u00a0 King\u3000Lovelace\n")).toBe("Ada King Lovelace");
});

test.each([
  ["an address", "Click https://evil.example"],
  ["an address without a scheme", "Ada evil.example/login"],
  ["a host", "evil.example"],
  ["a host with a word before it", "You have won. Visit evil.example"],
  ["a host of two letters", "t.co"],
  ["a host with a longer name", "a.b.co"],
  ["a host with a letter and a hyphen", "a.b-c"],
  ["a host in another script", "пример.рф"],
  ["a host with marks", "a.e\u0301e\u0301"],
  ["a host with a joiner in it", "evil.e\u200dxample"],
  ["a host with a mark after its dot", "evil.\u0301example"],
  ["a host with an ideographic dot", "evil。example"],
  ["a host with a full-width dot", "evil．example"],
  ["a host with a half-width dot", "evil｡example"],
  ["a host with a dot leader", "evil․example"],
  ["an IPv4 address", "1.1.1.1 Ada"],
  ["an IPv4 address as a number", "Ada 2130706433"],
  ["an IPv6 address", "Ada [::1]"],
  ["a scheme", "tel:Ada"],
  ["a phone number", "Call +41 44 668 18 00"],
  ["a phone number in digits of another script", "Ada ٠٤٤٦٦٨١٨٠٠"],
  ["an email address", "ada@example.com"],
  ["a name in a social network", "@ada"],
  ["a file share", "\\\\evil\\share"],
  ["a link in Markdown", "[Ada](evil)"],
  ["markup", "<b>Ada</b>"],
  ["a line break", "Ada\nYour account is locked"],
  ["CR LF and a header", "Ada\r\nBcc: eve"],
  ["a next line character", "Ada\u0085Lovelace"],
  ["a line separator", "Ada\u2028Lovelace"],
  ["a paragraph separator", "Ada\u2029Lovelace"],
  ["a vertical tab", "Ada\u000bLovelace"],
  ["NUL", "Ada\0"],
  ["an escape sequence", "\u001b[31mAda"],
  ["a right-to-left override", "Ada \u202eecalevoL"],
  ["an isolate", "\u2067Ada\u2069"],
  ["a right-to-left mark", "Ada\u200f"],
  ["a zero-width space", "Ada\u200bLovelace"],
  ["a soft hyphen", "Ada\u00adLovelace"],
  ["a byte order mark", "Ada\ufeffLovelace"],
  ["a joiner where none belongs", "Ada\u200c 1"],
  ["a joiner after a space", "Ada \u200dLovelace"],
  ["joiners in a row", "A\u200d\u200dda"],
  ["a Hangul filler", "Ada\u3164"],
  ["tag characters", "Ada\u{e0041}"],
  ["a variation selector", "Ada\ufe0f"],
  ["a stack of marks", `A${"\u0301".repeat(4)}da`],
  ["a mark alone", "\u0301"],
  ["an emoji", "Ada ✅"],
  ["a private use character", "Ada \ue000"],
  ["a lone surrogate", "Ada \ud800"],
  ["no letter", "1234"],
  ["nothing", ""],
  ["spaces", " \u3000 "],
  ["more than 60 characters", "a".repeat(61)],
])("the greeting has no name if it contains %s", (_what, name) => {
  expect(toGreetingName(name)).toBeUndefined();
});

test("no character that a name may contain is a compatibility form of a character in addresses", () => {
  const admitted = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (toGreetingName(`aa${character}bb`) === `aa${character}bb`) admitted.push(character);
  }
  const signs = admitted.filter((character) => /[^\p{L}\p{M}\p{Nd} ,'’‘"“”()&·・׳״\-‐‑–\u200c\u200d]/u.test(character));
  const compatible = admitted.filter((character) => /[./:@\\[\]<>\p{C}]/u.test(character.normalize("NFKC")));
  expect(admitted.length).toBeGreaterThan(100_000);
  expect(signs).toEqual([]);
  expect(compatible).toEqual(["\u200c", "\u200d"]);
});

test.each([
  "ada@example.com",
  "ada.lovelace+id@mail.example.co.uk",
  "o'brien_1-x@example.com",
  "ädä@müller.example",
  "用户@例子.广告",
])("the address %s is shown", (address) => {
  expect(toShownAddress(address)).toBe(address);
});

test.each([
  "evil.example/a@example.com",
  "http//evil.example/@example.com",
  "www.evil.example@example.com",
  "WWW.evil.example@example.com",
  "evil.example?x=1@example.com",
  "evil.example#a@example.com",
  "evil。example@example.com",
  "<b>@example.com",
  "a&b@example.com",
  "ada@example.com\nx",
  "ada",
])("the address %j is not shown, because it could become another link", (address) => {
  expect(toShownAddress(address)).toBeUndefined();
});
