import { randomUUID } from 'node:crypto';
import { percentile } from '@uprez/testing/bench-report';
import type { TestProduct } from '@uprez/testing/products/start-test-product';

/** Alternates sequential calls for an existing and a missing account. */
const times = 100;

type Call = { path: string; status: number; body: (email: string) => object };

/**
 * Measures response times for a known and an unknown account, milliseconds. A difference would reveal who has an
 * account. The limits of guesses and emails are reset between calls, so each call does all of its work.
 */
export async function compareAccounts(
  { url, db }: Pick<TestProduct, 'url' | 'db'>,
  email: string,
): Promise<Record<string, Record<string, number>>> {
  const time = async ({ path, status, body }: Call, address: string) => {
    await db.deleteFrom('attempts').execute();
    await db.deleteFrom('outbox').execute();
    const start = performance.now();
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body(address)),
    });
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`${path} answered ${response.status}`);
    return performance.now() - start;
  };
  const compare = async (call: Call) => {
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < times; round += 1) {
      known.push(await time(call, email));
      unknown.push(await time(call, `${randomUUID()}@example.test`));
    }
    const [ofKnown, ofUnknown] = [percentile(known), percentile(unknown)];
    const rounded = (ms: number) => Number(ms.toFixed(1));
    return { known: rounded(ofKnown), unknown: rounded(ofUnknown), difference: rounded(Math.abs(ofKnown - ofUnknown)) };
  };
  return {
    'wrong password': await compare({
      path: '/api/login',
      status: 401,
      body: (address) => ({ email: address, password: 'a wrong one' }),
    }),
    'forgot password': await compare({
      path: '/api/forgot-password',
      status: 200,
      body: (address) => ({ email: address }),
    }),
  };
}
