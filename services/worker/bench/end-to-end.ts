import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { pullModel } from '@uprez/models/pull-model';
import { compareGoals, percentile, reportResults } from '@uprez/testing/bench-report';
import { makeImage } from '@uprez/testing/make-image';
import { startBenchProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { imageForm, type SignedIn, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';

/** Measures the time of a job outside the engine. Run by `npm run bench:e2e`. */
const rounds = 12;
const rootDir = fileURLToPath(new URL('../../..', import.meta.url));

async function submit(user: SignedIn, side: number, seed: number): Promise<string> {
  const image = await makeImage({ width: side, height: side, format: 'jpeg', seed });
  const body = imageForm(image, { scaleFactor: '4', engine: 'photo-fast' }, 'bench.jpg');
  return (await user.client.processImage({ body, headers: { prefer: 'respond-async' } })).data.id;
}

const finished = ({ db }: TestProduct, ids: readonly string[]) =>
  waitUntil(
    async () => {
      const rows = await db.selectFrom('jobs').selectAll().where('id', 'in', ids).execute();
      if (rows.some((row) => row.status === 'failed')) throw new Error('a job failed');
      return rows.every((row) => row.status === 'completed') && rows;
    },
    { timeoutMs: 300_000, everyMs: 20 },
  );

/** Signs up a user whose plan includes enough images for this bench. */
async function signUpUnlimited({ url, db }: TestProduct): Promise<SignedIn> {
  const user = await signUp(url);
  await updateUser(db, user.user.id, { tier: 'enterprise' });
  return user;
}

async function measureOverhead(product: TestProduct): Promise<void> {
  const user = await signUpUnlimited(product);
  const overheads: number[] = [];
  const totals: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [row] = await finished(product, [await submit(user, 512, round)]);
    if (!row?.finishedAt || !row.receipt) throw new Error('no receipt');
    const total = row.finishedAt.getTime() - row.createdAt.getTime();
    const engine = Object.values(row.receipt.stagesMs).reduce((sum, ms) => sum + ms, 0);
    totals.push(total);
    overheads.push(total - engine);
  }
  console.log(`512 x 512 px, x4, photo-fast, ${rounds} jobs in sequence`);
  const figures = {
    'job, median': { value: percentile(totals), unit: 'ms' },
    'outside the engine, median': { value: percentile(overheads), atMost: 300, unit: 'ms' },
    'outside the engine, p95': { value: percentile(overheads, 0.95), unit: 'ms' },
  };
  reportResults('e2e', compareGoals(figures));
}

const modelsDir = path.join(rootDir, '.data/models');
await pullModel({ modelsDir, id: 'photo-fast' });
const product = await startBenchProduct({
  env: { MODELS_DIR: modelsDir, LEASE_S: '30', SWEEP_S: '5' },
});
try {
  await measureOverhead(product);
} finally {
  await product.close();
}
