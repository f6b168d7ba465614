import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { describeMachine, printTable } from '@uprez/testing/bench-report';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { sql } from 'kysely';
import { startGatewayBench } from './support/open-verbs.ts';
import { latencyRow } from './support/print-latencies.ts';

/**
 * Measures the order in which jobs start on one slot, by seconds: each group's share of the time next to its weight,
 * and the longest wait between two of its starts. Jobs use other times than estimated. Run by `npm run bench:fairness`.
 */
const { verbs, close } = await startGatewayBench();

/** Accounts of one plan, each with `jobs` jobs estimated at `seconds`, which use `used` times as long. */
type Group = { name: string; tier: Tier; accounts: number; jobs: number; seconds: number; used: number };
type Start = { group: Group; seconds: number };

async function createJobs(groups: readonly Group[]): Promise<Map<string, Group>> {
  await verbs.db.deleteFrom('users').execute();
  const groupOf = new Map<string, Group>();
  for (const group of groups)
    for (let n = 0; n < group.accounts; n += 1) {
      const actor = await makeUser(verbs.db, 'enterprise');
      groupOf.set(actor.accountId, group);
      for (let job = 0; job < group.jobs; job += 1) await makeJob(verbs, actor, { seconds: group.seconds });
      // Units are not measured, so the plan is set after they are reserved.
      const { tier } = group;
      await verbs.db.updateTable('users').set({ tier }).where('id', '=', actor.accountId).execute();
    }
  return groupOf;
}

/** Runs the jobs one after another, without waiting for the seconds that they use. */
async function runAll(groups: readonly Group[]): Promise<{ starts: Start[]; latenciesMs: number[] }> {
  const groupOf = await createJobs(groups);
  const starts: Start[] = [];
  const latenciesMs: number[] = [];
  for (;;) {
    const startMs = performance.now();
    const claim = await claimNextJob(verbs, { workerId: 'bench', leaseS: 3_600 });
    const group = groupOf.get(claim?.job.accountId ?? '');
    if (!claim || !group) return { starts, latenciesMs };
    latenciesMs.push(performance.now() - startMs);
    const { id: jobId, attempt } = claim.job;
    const seconds = group.seconds * group.used;
    const startedAt = sql<Date>`now() - make_interval(secs => ${seconds})`;
    await verbs.db.updateTable('jobs').set({ startedAt }).where('id', '=', jobId).execute();
    await failJob(verbs, { jobId, attempt, code: 'corrupt_image', retryBaseS: 0 });
    starts.push({ group, seconds });
  }
}

const sum = (starts: readonly Start[]) => starts.reduce((total, { seconds }) => total + seconds, 0);
const round = (n: number) => Number(n.toFixed(1));

/** Returns the figures of each group while all groups have waiting jobs. */
function judge(groups: readonly Group[], starts: readonly Start[]) {
  const ends = groups.map((group) => starts.findLastIndex((start) => start.group === group));
  const shared = starts.slice(0, Math.min(...ends) + 1);
  const weightOf = ({ tier, accounts }: Group) => currentPlans[tier].queueWeight * accounts;
  const weights = groups.reduce((total, group) => total + weightOf(group), 0);
  const rows = groups.map((group) => {
    const own = shared.flatMap((start, at) => (start.group === group ? [at] : []));
    const gaps = [...own, shared.length].map((at, index) => shared.slice((own[index - 1] ?? -1) + 1, at));
    const share = sum(own.flatMap((at) => shared[at] ?? [])) / sum(shared);
    const fair = weightOf(group) / weights;
    return [
      group.name,
      {
        weight: weightOf(group),
        'share of seconds, %': round(100 * share),
        'fair share, %': round(100 * fair),
        'off by, %': round(100 * (share / fair - 1)),
        'longest wait, seconds': round(Math.max(...gaps.map(sum))),
        'longest wait, starts': Math.max(...gaps.map((gap) => gap.length)),
      },
    ] as const;
  });
  return Object.fromEntries(rows);
}

/** Equal jobs of all plans, `waiting` of each. */
const equalJobs = (accounts: number, waiting = 200): Group[] =>
  tiers.map((tier) => ({
    ...{ name: currentPlans[tier].name, tier, accounts, jobs: waiting / accounts, seconds: 1, used: 1 },
  }));
/** `used`: how far the estimates of the heavy jobs are off. */
const heavyAndLight = (tier: Tier, used: number): Group[] => [
  { name: 'Free, heavy', tier: 'free', accounts: 10, jobs: 6, seconds: 100, used },
  { name: `${currentPlans[tier].name}, light`, tier, accounts: 1, jobs: 400, seconds: 1, used: 1 },
];

const scenarios: [title: string, groups: Group[]][] = [
  ['200 equal jobs a plan, 1 account', equalJobs(1)],
  ['200 equal jobs a plan, 10 accounts', equalJobs(10)],
  ['heavy jobs of 10 Free accounts, light jobs of 1 Pro account', heavyAndLight('pro', 1)],
  ['the same with heavy jobs that use half of their estimate', heavyAndLight('pro', 0.5)],
  ['the same with heavy jobs that use twice their estimate', heavyAndLight('pro', 2)],
  ['heavy jobs of 10 Free accounts, light jobs of 1 Free account', heavyAndLight('free', 1)],
];

try {
  console.log(describeMachine());
  console.log('Goals: shares within 25 % of the weights; light jobs wait for at most one heavy job.');
  for (const [title, groups] of scenarios) {
    const { starts, latenciesMs } = await runAll(groups);
    printTable(title, judge(groups, starts));
    printTable('Milliseconds', { claimNextJob: latencyRow(latenciesMs) });
  }
} finally {
  await close();
}
