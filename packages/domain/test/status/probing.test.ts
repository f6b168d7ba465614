import { readJobSignal } from '@uprez/db/queries/status/probes';
import { afterSeconds } from '@uprez/db/times';
import { confirmFailure } from '@uprez/domain/status/probing/confirm-probe';
import { judgeJobs } from '@uprez/domain/status/probing/judge-jobs';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { describe, expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);

describe('what images of users say', () => {
  it.each([
    [{ ended: 19, failed: 19, waitS: 500 }, 'up'],
    [{ ended: 20, failed: 0, waitS: 60 }, 'up'],
    [{ ended: 20, failed: 0, waitS: 61 }, 'degraded'],
    [{ ended: 100, failed: 4, waitS: null }, 'up'],
    [{ ended: 100, failed: 5, waitS: 1 }, 'degraded'],
    [{ ended: 100, failed: 24, waitS: 1 }, 'degraded'],
    [{ ended: 100, failed: 25, waitS: 1 }, 'down'],
  ])('%j: %s', (signal, state) => {
    expect(judgeJobs(signal).state).toBe(state);
  });

  it('counts images that ended in the last 15 minutes, those that failed in processing, and their wait', async () => {
    const actor = await makeUser(ctx.db);
    const end = async (values: object) => {
      const { job } = await makeJob(ctx, actor);
      const times = { createdAt: afterSeconds(-100), notBefore: afterSeconds(-100), startedAt: afterSeconds(-30) };
      const ended = { status: 'failed' as const, finishedAt: afterSeconds(-10), ...times, ...values };
      await ctx.db.updateTable('jobs').set(ended).where('id', '=', job.id).execute();
    };
    await end({ errorCode: 'processing_crashed' });
    await end({ errorCode: 'corrupt_image' });
    await end({ errorCode: 'processing_crashed', kind: 'sandbox' });
    await end({ errorCode: 'processing_crashed', finishedAt: afterSeconds(-901) });
    const { ended, failed, waitS } = await readJobSignal(ctx.db, 900);
    expect([ended, failed, Math.round(waitS ?? 0)]).toEqual([2, 1, 70]);
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
