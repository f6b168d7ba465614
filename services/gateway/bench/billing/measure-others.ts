import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { createJob } from '@uprez/domain/jobs/create-job';
import { type Figures, percentile, printTable } from '@uprez/testing/bench-report';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { makeNewJob } from '@uprez/testing/make-job';
import type { Answers } from '../load/send-at-rate.ts';
import type { Requests } from '../load/send-requests.ts';
import { runChild } from '../load/start-child.ts';
import { signUpCookie } from '../support/sign-up-cookie.ts';
import type { BillingBench } from './open-billing-bench.ts';

const load = { perSecond: 20, warmUpS: 1, seconds: 5 };
const jobs = 100;
const tier = 'api_pro';

/** The dashboard and new jobs of a subscriber, next to an account that has the same plan without billing. */
export async function measureOthers(bench: BillingBench, subscriber: Subscriber): Promise<Figures> {
  const { product, verbs, db, sizes } = bench;
  const paid = await bench.signUpAs(subscriber);
  const { cookie, client } = await signUpCookie(product.url);
  const given = { cookie, accountId: (await client.user()).data.id };
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ overrideTier: tier }).where('id', '=', given.accountId).execute();
    await settlePlan(tx, given.accountId);
  });
  const accounts = { paid, given };
  const names = ['given', 'paid'] as const;
  const times = {
    given: { stats: [] as number[], job: [] as number[] },
    paid: { stats: [] as number[], job: [] as number[] },
  };
  for (let round = 0; round <= sizes.rounds; round += 1)
    for (const name of names) {
      const urls = [`${product.url}/api/dashboard/stats`];
      const request = { urls, cookie: accounts[name].cookie, ...load } satisfies Requests;
      const { latenciesMs } = await runChild<Answers>('send-requests', request);
      // The first round is a warm-up.
      if (round > 0) times[name].stats.push(percentile(latenciesMs));
    }
  for (let number = 0; number < jobs * 1.2; number += 1)
    for (const name of names) {
      const job = await makeNewJob(verbs, { accountId: accounts[name].accountId, plan: currentPlans[tier] });
      const start = performance.now();
      await createJob(verbs, job);
      if (number >= jobs * 0.2) times[name].job.push(performance.now() - start);
    }
  const row = (what: 'stats' | 'job') => {
    const [before, after] = [percentile(times.given[what]), percentile(times.paid[what])];
    const ms = (value: number) => Number(value.toFixed(1));
    return { 'without billing': ms(before), subscriber: ms(after), ratio: Number((after / before).toFixed(2)) };
  };
  const [stats, job] = [row('stats'), row('job')];
  printTable(`Median milliseconds, ${sizes.rounds} rounds and ${jobs} jobs in turn`, {
    'GET /api/dashboard/stats': stats,
    createJob: job,
  });
  const atMost = { atMost: 1.1, unit: 'times' };
  return {
    '`GET /api/dashboard/stats`, compared with the plan without billing': { value: stats.ratio, ...atMost },
    'new jobs, compared with the plan without billing': { value: job.ratio, ...atMost },
  };
}
