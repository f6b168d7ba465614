import { createHmac } from 'node:crypto';
import { readQuota } from '@uprez/domain/usage/read-quota';
import type { SignedIn } from '@uprez/testing/sign-up';
import { signUpWithPlan } from './accounts/api-keys.ts';
import { makeCheckedFetch } from './checked-fetch.ts';
import type { TestGateway } from './start-test-gateway.ts';

const checked = makeCheckedFetch(fetch);

/** Creates an account with image URLs, and functions that sign and request them as its website does. */
export async function openImageAccount(
  gateway: TestGateway,
  { hosts = ['images.example'], owner }: { hosts?: string[]; owner?: SignedIn } = {},
) {
  const account = owner ?? (await signUpWithPlan(gateway));
  const accountId = account.user.id;
  // The first use grants the units of the period, which would otherwise count as left behind.
  await readQuota(gateway.ctx, { actor: { accountId } });
  const { data } = await account.client.updateImageUrls({ body: { isEnabled: true, hosts } });
  const secret = data.secret ?? '';
  const pathOf = (original: string, options = 'width:20', key = secret) => {
    const signed = `/k:${data.keyId},${options}/${Buffer.from(original).toString('base64url')}`;
    return `/v1/img/${createHmac('sha256', key).update(signed).digest('base64url')}${signed}`;
  };
  return {
    owner: account,
    accountId,
    keyId: data.keyId ?? '',
    secret,
    pathOf,
    get: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      checked(gateway.url + path, { method, headers }),
  };
}

/** Counts what a request for an image could leave behind. */
export async function countImageTraces({ ctx }: TestGateway) {
  const count = async (table: 'imageUrlResults' | 'jobs' | 'objects' | 'ledger') => {
    const { n } = await ctx.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  return {
    results: await count('imageUrlResults'),
    jobs: await count('jobs'),
    objects: await count('objects'),
    ledger: await count('ledger'),
  };
}
