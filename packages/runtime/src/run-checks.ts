import { within } from './within.ts';

export type Checks = Record<string, () => Promise<unknown>>;

const checkMs = 5_000;

/** The first line of what lies at the root of an error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? (error.message.split('\n')[0] ?? 'failed') : reasonOf(error.cause);
}

/** Run all checks at once, 5 s each: `ok`, or why not in a line. */
export async function runChecks<Names extends Checks>(checks: Names): Promise<{ [Name in keyof Names]: string }> {
  const entries = Object.entries(checks).map(async ([name, check]) => {
    const late = () => new Error(`no answer within ${checkMs} ms`);
    return [name, await within(checkMs, check(), late).then(() => 'ok', reasonOf)];
  });
  return Object.fromEntries(await Promise.all(entries)) as { [Name in keyof Names]: string };
}
