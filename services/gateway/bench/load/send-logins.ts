/** Signs in all `emails` concurrently for `seconds`. The first `warmUpS` seconds do not count. */
export type Logins = { url: string; emails: string[]; password: string; warmUpS: number; seconds: number };
export type LoginAnswers = { latenciesMs: number[]; perSecond: number; errors: Record<string, number> };

const { url, emails, password, warmUpS, seconds }: Logins = JSON.parse(process.argv[2] ?? '');
const latenciesMs: number[] = [];
const errors: Record<string, number> = {};
const start = performance.now();
const elapsedMs = () => performance.now() - start;

async function logIn(email: string): Promise<void> {
  const began = elapsedMs();
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  await response.arrayBuffer();
  const what = `status ${response.status}`;
  if (response.status !== 200) errors[what] = (errors[what] ?? 0) + 1;
  else if (began >= warmUpS * 1_000) latenciesMs.push(elapsedMs() - began);
}

async function logInOnAndOn(email: string): Promise<void> {
  while (elapsedMs() < (warmUpS + seconds) * 1_000) await logIn(email);
}

await Promise.all(emails.map(logInOnAndOn));
const elapsedS = elapsedMs() / 1_000 - warmUpS;
process.send?.({ latenciesMs, perSecond: latenciesMs.length / elapsedS, errors } satisfies LoginAnswers);
