// A test that hangs can keep the process of its worker alive after the runner has ended.
process.once("disconnect", () => process.exit());
