import { plans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { describeMachine } from '@uprez/testing/bench-report';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { startGatewayBench } from './support/open-verbs.ts';
import { latencyRow } from './support/print-latencies.ts';

/**
 * Measures the order in which jobs of all plans start: each plan's share of the starts next to its weight, and the
 * number of other starts between two of its own. Run by `npm run bench:fairness`.
 */
const waiting = 200;

const { verbs, close } = await startGatewayBench();

/** Creates `waiting` jobs per plan across its accounts, claims them all, and returns the plans in that order. */
async function startAll(accounts: number): Promise<{ order: Tier[]; latenciesMs: number[] }> {
  await verbs.db.deleteFrom('users').execute();
  const tierOf = new Map<string, Tier>();
  for (const tier of tiers)
    for (let n = 0; n < accounts; n += 1) {
      const actor = await makeUser(verbs.db, 'enterprise');
      tierOf.set(actor.accountId, tier);
      for (let job = 0; job < waiting / accounts; job += 1) await makeJob(verbs, actor);
      // Units are not measured, so the plan is set after they are reserved.
      await verbs.db.updateTable('users').set({ tier }).where('id', '=', actor.accountId).execute();
    }
  const order: Tier[] = [];
  const latenciesMs: number[] = [];
  for (;;) {
    const start = performance.now();
    const claim = await claimNextJob(verbs, { workerId: 'bench', leaseS: 3_600 });
    if (!claim) return { order, latenciesMs };
    latenciesMs.push(performance.now() - start);
    order.push(tierOf.get(claim.job.accountId ?? '') ?? 'free');
  }
}

/** Returns the figures of each plan while all plans have waiting jobs. */
function judge(order: readonly Tier[]) {
  const ends = tiers.map((tier) => order.lastIndexOf(tier));
  const shared = order.slice(0, Math.min(...ends) + 1);
  const weights = tiers.reduce((sum, tier) => sum + plans[tier].queueWeight, 0);
  const rows = tiers.map((tier) => {
    const starts = shared.flatMap((one, at) => (one === tier ? [at] : []));
    const gaps = [...starts, shared.length].map((at, index) => at - (starts[index - 1] ?? -1) - 1);
    const share = starts.length / shared.length;
    const fair = plans[tier].queueWeight / weights;
    const percent = (n: number) => Number((100 * n).toFixed(1));
    return [
      plans[tier].name,
      {
        weight: plans[tier].queueWeight,
        'share, %': percent(share),
        'fair share, %': percent(fair),
        'off by, %': percent(share / fair - 1),
        'longest wait, starts': Math.max(...gaps),
      },
    ] as const;
  });
  return Object.fromEntries(rows);
}

try {
  console.log(describeMachine());
  for (const accounts of [1, 10]) {
    const { order, latenciesMs } = await startAll(accounts);
    console.log(
      `${waiting} waiting jobs a plan, of ${accounts} accounts; goals: shares within 25 % of the weights, no wait longer than 20 starts`,
    );
    console.table(judge(order));
    console.table({ 'claimNextJob, milliseconds': latencyRow(latenciesMs) });
  }
} finally {
  await close();
}
