import { currentPlans } from '@uprez/contracts/policy/plans';
import { describeMachine } from '@uprez/testing/bench-report';
import { makeJob } from '@uprez/testing/make-job';
import type { Answers } from './load/send-at-rate.ts';
import type { Polls } from './load/send-polls.ts';
import { runChild } from './load/start-child.ts';
import { startGatewayBench } from './support/open-verbs.ts';
import { answersRow } from './support/print-latencies.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';

/**
 * Measures the latency of clients that poll a job every 2 seconds on separate connections, next to /healthz polled in
 * the same way. Load, gateway, and database share the machine. Run by `npm run bench:pollers`.
 */
const load = { pollers: 1_000, everyMs: 2_000, warmUpS: 4, seconds: 20 };
const accounts = 20;

const { product, verbs, close } = await startGatewayBench();
try {
  const { url } = product;
  const targets: Polls['targets'] = [];
  for (let n = 0; n < accounts; n += 1) {
    const { client, cookie } = await signUpCookie(url);
    const { id: accountId } = (await client.user()).data;
    const { job } = await makeJob(verbs, { accountId, plan: currentPlans.free });
    targets.push({ url: `${url}/api/jobs/${job.id}`, cookie });
  }
  const poll = async (asked: Polls['targets']) =>
    answersRow(await runChild<Answers>('send-polls', { targets: asked, ...load } satisfies Polls));
  console.log(describeMachine());
  console.log(
    `Milliseconds; ${load.pollers} pollers, one request each ${load.everyMs / 1_000} s; goal of a job: p95 <= 200 ms`,
  );
  console.table({
    '/healthz': await poll([{ url: `${url}/healthz`, cookie: '' }]),
    '/api/jobs/{id}': await poll(targets),
  });
} finally {
  await close();
}
