import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { reportResults } from '@uprez/testing/bench-report';
import type { Answers } from './load/send-at-rate.ts';
import type { Requests } from './load/send-requests.ts';
import { runChild } from './load/start-child.ts';
import { startGatewayBench } from './support/open-verbs.ts';
import { answersRow } from './support/print-latencies.ts';
import { seedJobs } from './support/seed-jobs.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';

/**
 * Measures the latency of the dashboard for an account with many jobs of the last month, next to an account without
 * jobs in the same tables. Load, gateway, and database share the machine. Run by `npm run bench:dashboard`.
 */
const seeds = { all: 100_000, own: 20_000, days: 30 };
const load = { perSecond: 20, warmUpS: 2, seconds: 15 };

const { product, verbs, close } = await startGatewayBench();
try {
  const { url } = product;
  const [busy, idle] = [await signUpCookie(url), await signUpCookie(url)];
  const { id } = (await busy.client.user()).data;
  await seedJobs(verbs, { actor: { accountId: id, plan: currentPlans.free }, ...seeds });
  const read = async (path: string, { cookie }: { cookie: string }) =>
    answersRow(await runChild<Answers>('send-requests', { urls: [url + path], cookie, ...load } satisfies Requests));
  console.log(
    `Milliseconds at ${load.perSecond} requests/s; ${seeds.all} jobs, ${seeds.own} of this user; goal of the dashboard: p95 <= 50 ms`,
  );
  reportResults('dashboard', {
    'GET /api/dashboard/stats, an account without jobs': await read('/api/dashboard/stats', idle),
    'GET /api/dashboard/stats': await read('/api/dashboard/stats', busy),
    'GET /api/user': await read('/api/user', busy),
    'GET /api/usage, 30 days': await read('/api/usage', busy),
  });
} finally {
  await close();
}
