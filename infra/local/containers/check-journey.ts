import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm, type SignedIn, signUp } from '@uprez/testing/sign-up';
import { type Checks, expect } from './checks.ts';
import { must } from './podman.ts';
import { type Project, waitForHealth } from './start-project.ts';

type Readiness = { checks: { jail?: string }; workers?: { jail: string }[] };
type Result = { user: SignedIn; id: string; sha256: string };

/** Checks the product in its containers from outside. */
export async function checkJourney(project: Project, checks: Checks, url: string): Promise<void> {
  const { check } = checks;
  await check('/readyz reports two workers, and isolation in user namespaces', async () => {
    const { checks: states, workers } = (await (await fetch(`${url}/readyz`)).json()) as Readiness;
    const jails = [states.jail, ...(workers ?? []).map(({ jail }) => jail)];
    expect(jails.length === 3 && jails.every((jail) => jail === 'user-namespace'), JSON.stringify(jails));
  });
  const result = await check('a photo is upscaled and downloaded', () => upscalePhoto(url));
  await check('a worker that receives SIGTERM ends with code 0 in its grace period, and its job completes', () =>
    stopBusyWorker(project, url),
  );
  if (result)
    await check('a restart of all containers keeps accounts, jobs, and results', () => restart(project, url, result));
}

async function create(user: SignedIn, side: number): Promise<string> {
  const image = await makeImage({ width: side, height: side, format: 'jpeg', seed: side });
  const body = imageForm(image, { scaleFactor: '2', engine: 'photo-fast' }, 'photo.jpg');
  return (await user.client.processImage({ body, headers: { prefer: 'respond-async' } })).data.id;
}

async function waitForJob({ client }: SignedIn, id: string, status: string): Promise<void> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const job = (await client.getJob({ params: { id } })).data;
    if (job.status === status) return;
    expect(job.status !== 'failed' && Date.now() < deadline, `the job is ${job.status}: ${JSON.stringify(job)}`);
    await delay(250);
  }
}

async function download(url: string, { fetch: ownFetch }: SignedIn, id: string): Promise<Buffer> {
  const response = await ownFetch(`${url}/api/images/download/${id}`);
  expect(response.status === 200, `the result: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function upscalePhoto(url: string): Promise<Result> {
  const user = await signUp(url);
  const id = await create(user, 400);
  await waitForJob(user, id, 'completed');
  const bytes = await download(url, user, id);
  expect(bytes.length > 10_000, `${bytes.length} bytes`);
  return { user, id, sha256: hash(bytes) };
}

/** Stops both workers while one processes a job, and starts them again. */
async function stopBusyWorker({ podman, ids }: Project, url: string): Promise<string> {
  const user = await signUp(url);
  const id = await create(user, 1600);
  await waitForJob(user, id, 'processing');
  const workers = ids.worker ?? [];
  const start = performance.now();
  await Promise.all(workers.map((worker) => must(podman, ['stop', worker])));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  for (const worker of workers) {
    const code = await must(podman, ['inspect', '--format={{.State.ExitCode}}', worker]);
    expect(code === '0', `it ended with code ${code} after ${seconds} s`);
  }
  const { status } = (await user.client.getJob({ params: { id } })).data;
  for (const worker of workers) await must(podman, ['start', worker]);
  await waitForJob(user, id, 'completed');
  return `${seconds} s, the job was then ${status}`;
}

async function restart({ podman, ids, compose }: Project, url: string, { user, id, sha256 }: Result): Promise<void> {
  const services = Object.keys(compose.services).filter((name) => name !== 'setup');
  for (const name of services.toReversed()) for (const one of ids[name] ?? []) await must(podman, ['stop', one]);
  for (const name of services)
    for (const one of ids[name] ?? []) {
      await must(podman, ['start', one]);
      await waitForHealth(podman, one);
    }
  expect(hash(await download(url, user, id)) === sha256, 'the result changed');
  const after = await create(user, 300);
  await waitForJob(user, after, 'completed');
}
