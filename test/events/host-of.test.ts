import { hostOf } from "../../src/events/host-of.ts";

test.each([
  ["https://app.example.com/callback?token=secret", "app.example.com"],
  ["http://localhost:3000/callback", "localhost:3000"],
  ["com.example.app:/signed-in", "com.example.app:"],
  ["com.example.app://oauth2/signed-in", "com.example.app:"],
])("%s is shown as %s", (url, shown) => {
  expect(hostOf(url)).toBe(shown);
});
