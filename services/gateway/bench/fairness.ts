import { plans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { describeMachine } from '@uprez/testing/bench-report';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { startGatewayBench } from './support/open-verbs.ts';
import { latencyRow } from './support/print-latencies.ts';

/**
 * In which order waiting jobs of all plans start: each plan's share of the starts while all of them have jobs, beside
 * its weight, and how many starts of others a plan waited through between two of its own. Run by
 * `npm run bench:fairness`.
 */
const waiting = 200;

const { verbs, close } = await startGatewayBench();

/** Let every account of a plan have jobs waiting, `waiting` of them together; the plans in the order of their starts. */
async function startAll(accounts: number): Promise<{ order: Tier[]; latenciesMs: number[] }> {
  await verbs.db.deleteFrom('users').execute();
  const tierOf = new Map<string, Tier>();
  for (const tier of tiers)
    for (let n = 0; n < accounts; n += 1) {
      const actor = await makeUser(verbs.db, 'enterprise');
      tierOf.set(actor.accountId, tier);
      for (let job = 0; job < waiting / accounts; job += 1) await makeJob(verbs, actor);
      // Units are not what is measured, so the plan comes after them.
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

/** Facts of each plan while all of them have jobs waiting. */
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
