export type Checks = Record<string, () => Promise<unknown>>;

/** Run all checks at once: `ok`, or the first line of what is wrong. */
export async function runChecks<Names extends Checks>(checks: Names): Promise<{ [Name in keyof Names]: string }> {
  const told = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? 'failed';
  const entries = Object.entries(checks).map(async ([name, check]) => [
    name,
    await check().then(
      () => 'ok',
      (error: unknown) => told(error),
    ),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as { [Name in keyof Names]: string };
}
