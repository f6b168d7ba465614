import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { finishJob } from '../support/finish-job.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const admin = fileFixture(() => signUpAdmin(gateway));

const change = (id: string, values: Record<string, unknown>) =>
  gateway.ctx.db.updateTable('users').set(values).where('id', '=', id).execute();

describe('the table of users', () => {
  it.each(['-images', 'images', '-calls', 'calls', 'created'] as const)(
    'loses and repeats no user between pages sorted by %s, and exports the same ones',
    async (sort) => {
      const tag = randomUUID();
      const counts = new Map<string, number>();
      const surface = sort.endsWith('calls') ? 'api' : 'web';
      for (const count of [0, 2, 1, 0, 1]) {
        const { user } = await gateway.signUp();
        await change(user.id, { last_name: tag });
        counts.set(user.id, count);
        for (let i = 0; i < count; i += 1) {
          const { job } = await makeJob(gateway.ctx, { accountId: user.id, plan: currentPlans.free });
          await finishJob(gateway.ctx, job.id);
          await gateway.ctx.db.updateTable('jobs').set({ surface }).where('id', '=', job.id).execute();
        }
      }
      const seen: string[] = [];
      for (let next: string | undefined = `/api/admin/users?limit=2&search=${tag}&sort=${sort}`; next; ) {
        const response: Response = await admin.fetch(`${gateway.url}${next}`);
        seen.push(...((await response.json()) as { id: string }[]).map(({ id }) => id));
        next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
      expect(seen.toSorted()).toEqual([...counts.keys()].toSorted());
      const rising = sort === 'created' ? [0, 2, 1, 0, 1] : [0, 0, 1, 1, 2];
      expect(seen.map((id) => counts.get(id))).toEqual(sort.startsWith('-') ? rising.toReversed() : rising);
      const file = await admin.fetch(`${gateway.url}/api/admin/users/export?search=${tag}&sort=${sort}&format=json`);
      expect(((await file.json()) as { user: string }[]).map(({ user }) => user)).toEqual(seen);
    },
  );

  it('exports exactly the users of the filter, without formulas, and masked for viewers', async () => {
    const tag = randomUUID();
    const [first, second] = [await gateway.signUp(), await gateway.signUp()];
    for (const { user } of [first, second]) await change(user.id, { last_name: tag, tier: 'pro' });
    await change(second.user.id, { first_name: '=1+1' });
    const other = await gateway.signUp();
    await change(other.user.id, { last_name: tag });
    const query = `search=${tag}&tier=pro&sort=created&columns=subscription`;
    const csv = await admin.fetch(`${gateway.url}/api/admin/users/export?${query}`);
    const [header, ...lines] = (await csv.text()).trimEnd().split('\r\n');
    expect(header).toBe(
      'user,email,first_name,last_name,role,email_verified,suspended,suspended_at,subscription,subscription_ends',
    );
    expect(lines).toEqual([
      `${first.user.id},${first.email},Ada,${tag},,no,no,,pro,`,
      `${second.user.id},${second.email},'=1+1,${tag},,no,no,,pro,`,
    ]);
    const viewer = await signUpAdmin(gateway, 'viewer');
    const json = await viewer.fetch(`${gateway.url}/api/admin/users/export?${query}&format=json`);
    const rows = (await json.json()) as { user: string; email: string }[];
    expect(rows.map(({ user }) => user)).toEqual([first.user.id, second.user.id]);
    for (const { email } of rows) expect(email).toContain('***@***');
  });
});
