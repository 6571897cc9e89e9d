/** After all tests. */
export default async function tearDown(): Promise<void> {
  await globalThis.stopTestDatabases();
}
