const checkMs = 5_000;

/** Run all checks at once, 5 s each: `ok`, or why not in a line. */
export async function runChecks<Name extends string>(
  checks: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, string>> {
  const entries = Object.entries<() => Promise<unknown>>(checks).map(async ([name, check]) => {
    const late = () => new Error(`no answer within ${checkMs} ms`);
    return [name, await withTimeout(checkMs, check(), late).then(() => 'ok', reasonOf)];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, string>;
}

/** The first line of what lies at the root of an error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? (error.message.split('\n')[0] ?? 'failed') : reasonOf(error.cause);
}

/** What `work` answers, or an error made by `late` once `ms` have passed. The work itself goes on. */
export async function withTimeout<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([work, expiry]).finally(() => clearTimeout(timer));
}
