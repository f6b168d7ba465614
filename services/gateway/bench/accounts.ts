import { compareGoals, printTable, reportResults } from '@uprez/testing/bench-report';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import type { Answers } from './load/send-at-rate.ts';
import type { LoginAnswers, Logins } from './load/send-logins.ts';
import type { Requests } from './load/send-requests.ts';
import { runChild } from './load/start-child.ts';
import { compareAccounts } from './support/compare-accounts.ts';
import { answersRow } from './support/print-latencies.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';

/**
 * Measures requests per second and latency of signing in and of a signed-in page, the effect of 50 concurrent sign-ins,
 * and the time difference between known and unknown accounts. Load, gateway, and database share the machine. Run by
 * `npm run bench:gateway`.
 */
const load = { perSecond: 200, warmUpS: 2, seconds: 10 };
const parallelLogins = 50;
const admin = { email: 'admin@example.test', password: 'an admin of this bench' };

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
  const alone = answersRow(await read('/api/user', cookie));
  const [busy, logins] = await Promise.all([read('/api/user', cookie), logIn(parallelLogins)]);
  const beside = answersRow(busy);
  printTable(`Milliseconds; reads at ${load.perSecond} requests/s`, {
    'GET /api/user': alone,
    'GET /api/admin/settings/site': answersRow(await read('/api/admin/settings/site', adminCookie)),
    'POST /api/login, 1': answersRow(await logIn(1)),
    [`POST /api/login, ${parallelLogins}`]: answersRow(logins),
    [`GET /api/user beside ${parallelLogins} sign-ins`]: beside,
  });
  const compared = await compareAccounts(product, email);
  printTable('Medians of calls for a known and an unknown account, milliseconds', compared);
  const differences = Object.values(compared).map(({ difference }) => difference ?? Number.NaN);
  reportResults(
    'gateway',
    compareGoals({
      [`\`GET /api/user\` beside ${parallelLogins} sign-ins, ratio of p95`]: {
        value: beside.p95 / alone.p95,
        atMost: 2,
        unit: 'times',
      },
      'largest difference for a known and an unknown account': {
        value: Math.max(...differences),
        atMost: 20,
        unit: 'ms',
      },
    }),
  );
} finally {
  await product.close();
}
