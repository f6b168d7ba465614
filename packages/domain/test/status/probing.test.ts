import { readJobSignal } from '@uprez/db/queries/status/probes';
import { afterSeconds } from '@uprez/db/times';
import { ensureProbeAccount } from '@uprez/domain/status/probing/probe-account';
import { assessJobs, confirmFailure } from '@uprez/domain/status/probing/record-round';
import { openVault } from '@uprez/domain/vault';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { describe, expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);

describe('what images of users say', () => {
  const none = { ended: 100, failed: 0, failedAccounts: 0, waitS: null, lateAccounts: 0 };
  it.each([
    [{ ended: 19, failed: 19, failedAccounts: 9, waitS: 500, lateAccounts: 9 }, 'up'],
    [{ ended: 20, waitS: 60, lateAccounts: 3 }, 'up'],
    [{ ended: 20, waitS: 61, lateAccounts: 3 }, 'degraded'],
    [{ ended: 20, waitS: 61, lateAccounts: 2 }, 'up'],
    [{ failed: 4, failedAccounts: 4 }, 'up'],
    [{ failed: 5, failedAccounts: 3, waitS: 1 }, 'degraded'],
    [{ failed: 24, failedAccounts: 3, waitS: 1 }, 'degraded'],
    [{ failed: 25, failedAccounts: 3, waitS: 1 }, 'down'],
    [{ failed: 100, failedAccounts: 2, waitS: 1 }, 'up'],
  ])('%j: %s', (signal, state) => {
    expect(assessJobs({ ...none, ...signal }).state).toBe(state);
  });

  it('counts images that ended in the last 15 minutes, those that failed in processing, their wait, and accounts', async () => {
    const actors = [await makeUser(ctx.db), await makeUser(ctx.db)];
    const end = async (values: object, of = 0) => {
      const { job } = await makeJob(ctx, actors[of] as (typeof actors)[number]);
      const times = { createdAt: afterSeconds(-100), notBefore: afterSeconds(-100), startedAt: afterSeconds(-30) };
      const ended = { status: 'failed' as const, finishedAt: afterSeconds(-10), ...times, ...values };
      await ctx.db.updateTable('jobs').set(ended).where('id', '=', job.id).execute();
    };
    await end({ errorCode: 'processing_crashed' });
    await end({ errorCode: 'processing_crashed' });
    await end({ errorCode: 'corrupt_image' }, 1);
    await end({ errorCode: 'processing_crashed', kind: 'sandbox' }, 1);
    await end({ errorCode: 'processing_crashed', finishedAt: afterSeconds(-901) }, 1);
    const signal = await readJobSignal(ctx.db, { windowS: 900, lateS: 60 });
    expect({ ...signal, waitS: Math.round(signal.waitS ?? 0) }).toEqual({
      ...{ ended: 3, failed: 2, failedAccounts: 1, waitS: 70, lateAccounts: 2 },
    });
  });
});

describe('the account of probes', () => {
  it('is created even if a stranger has signed up with an address like it, and stays the same', async () => {
    const stranger = await makeUser(ctx.db);
    const taken = 'status-probe@uprez.invalid';
    await ctx.db.updateTable('users').set({ email: taken }).where('id', '=', stranger.accountId).execute();
    const account = await ensureProbeAccount(ctx);
    expect(account.email).toMatch(/^status-probe-[-0-9a-f]{36}@uprez\.invalid$/);
    expect(await ensureProbeAccount(ctx)).toEqual(account);
    const moved = { db: ctx.db, vault: openVault('another vault secret of these tests') };
    expect(await ensureProbeAccount(moved)).toMatchObject({ id: account.id, email: account.email });
  });
});

describe('a failed attempt', () => {
  const attempts = async (failures: number) => {
    const waits: number[] = [];
    let tried = 0;
    const attempt = async () => {
      tried += 1;
      if (tried <= failures) throw new Error(`attempt ${tried} failed`);
      return tried;
    };
    const wait = async (seconds: number) => void waits.push(seconds);
    const makeSignal = () => new AbortController().signal;
    const result = await confirmFailure(attempt, { wait, makeSignal }).catch((error: Error) => error.message);
    return { result, waits };
  };

  it('counts only after two more have failed within 20 seconds', async () => {
    expect(await attempts(0)).toEqual({ result: 1, waits: [] });
    expect(await attempts(2)).toEqual({ result: 3, waits: [10, 10] });
    expect(await attempts(3)).toEqual({ result: 'attempt 3 failed', waits: [10, 10] });
  });
});
