import { randomUUID } from 'node:crypto';
import { percentile } from '@uprez/testing/bench-report';
import type { TestProduct } from '@uprez/testing/products/start-test-product';

/** So many calls for an account that exists, and as many for one that does not, one after the other in turn. */
const times = 100;

type Call = { path: string; status: number; body: (email: string) => object };

/**
 * What answering for a known account takes beside an unknown one, milliseconds: a difference would tell strangers who
 * has an account. Between the calls what limits guesses and mails is forgotten, so that each does all of its work.
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
