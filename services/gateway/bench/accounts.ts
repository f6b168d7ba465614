import { describeMachine, percentile } from '@uprez/testing/bench-report';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import type { Answers } from './load/send-at-rate.ts';
import type { LoginAnswers, Logins } from './load/send-logins.ts';
import type { Requests } from './load/send-requests.ts';
import { runChild } from './load/start-child.ts';
import { compareAccounts } from './support/compare-accounts.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';

/**
 * Measures requests per second and latency of signing in and of a signed-in page, the effect of 50 concurrent sign-ins,
 * and the time difference between known and unknown accounts. Load, gateway, and database share the machine. Run by
 * `npm run bench:gateway`.
 */
const load = { perSecond: 200, warmUpS: 2, seconds: 10 };
const parallelLogins = 50;
const admin = { email: 'admin@example.test', password: 'an admin of this bench' };

function row({ latenciesMs, perSecond, errors }: Answers | LoginAnswers): Record<string, number> {
  for (const [what, times] of Object.entries(errors)) {
    console.error(`${times} x ${what}`);
    process.exitCode = 1;
  }
  const at = (p: number) => Number(percentile(latenciesMs, p).toFixed(1));
  return { 'answers/s': Math.round(perSecond), p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

const product = await startBenchProduct({
  services: ['gateway'],
  env: { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, RATE_LIMIT_SCALE: '1000000' },
});
try {
  const { url } = product;
  const { cookie, email, password } = await signUpCookie(url);
  // One account each, because concurrent sign-ins to one account are rejected as guesses.
  const emails = [email];
  while (emails.length < parallelLogins) emails.push((await signUpCookie(url)).email);
  const { cookie: adminCookie } = await signUpCookie(url, admin);
  const read = (path: string, as: string) =>
    runChild<Answers>('send-requests', { urls: [url + path], cookie: as, ...load } satisfies Requests);
  const logIn = (parallel: number) => {
    const { warmUpS, seconds } = load;
    const logins: Logins = { url, emails: emails.slice(0, parallel), password, warmUpS, seconds };
    return runChild<LoginAnswers>('send-logins', logins);
  };
  console.log(describeMachine());
  console.log(
    `Milliseconds; reads at ${load.perSecond} requests/s, sign-ins one after another or ${parallelLogins} at a time`,
  );
  const alone = row(await read('/api/user', cookie));
  const [busy, logins] = await Promise.all([read('/api/user', cookie), logIn(parallelLogins)]);
  const beside = row(busy);
  console.table({
    'GET /api/user': alone,
    'GET /api/admin/settings/site': row(await read('/api/admin/settings/site', adminCookie)),
    'POST /api/login, 1': row(await logIn(1)),
    [`POST /api/login, ${parallelLogins}`]: row(logins),
    [`GET /api/user beside ${parallelLogins} sign-ins`]: beside,
  });
  const ratio = (beside.p95 ?? Number.NaN) / (alone.p95 ?? Number.NaN);
  console.log(`p95 of GET /api/user beside ${parallelLogins} sign-ins: ${ratio.toFixed(2)}x (goal: below 2x)`);
  console.log('Medians of calls for a known and an unknown account, milliseconds (goal: at most 20 apart)');
  console.table(await compareAccounts(product, email));
} finally {
  await product.close();
}
