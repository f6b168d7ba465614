import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { describe, expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { openV1Caller } from '../support/v1-calls.ts';

let statements = 0;
const gateway = fileFixture(() =>
  startTestGateway({}, undefined, ({ db }) => ({
    db: db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        return result;
      },
    }),
  })),
);
const caller = fileFixture(() => openV1Caller(gateway));

describe('polling a finished job', () => {
  it.each([
    ['2 statements: the session, and the job with its files', '/api', 2],
    ['3 statements: the API key, the job with its files, and the usage of the key', '/v1', 3],
  ])('takes %s', async (_what, base, expected) => {
    const actor = { accountId: caller.owner.user.id, plan: currentPlans.api_basic };
    const { job } = await makeJob(gateway.ctx, actor);
    await finishJob(gateway.ctx, job.id);
    const before = statements;
    const path = `${base}/jobs/${job.id}`;
    const answer = await (base === '/v1' ? caller.call('GET', path) : caller.owner.fetch(gateway.url + path));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: job.id, status: 'completed' });
    expect(statements - before).toBe(expected);
  });
});
