import { limits } from '@uprez/contracts/policy/limits';
import type { Batch } from '@uprez/contracts/schemas/jobs/batch';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { reportResults } from '@uprez/testing/bench-report';
import { makeImage } from '@uprez/testing/make-image';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { imageForm, type SignedIn, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import sharp from 'sharp';

/**
 * Measures a batch of 100 photos of 12 megapixels: seconds from the start of the first upload to the first and to the
 * last result. The baseline is sharp in one process, without uploads, storage, or checks. Run by `npm run bench:batch`.
 */
const [width, height] = [4_000, 3_000];
const size = { longSide: 1_600, format: 'jpeg', quality: 95 } as const;
const concurrency = 4;
const distinctPhotos = 4;

const seconds = (from: number) => (performance.now() - from) / 1_000;
const originals: Buffer[] = [];
for (let seed = 1; seed <= distinctPhotos; seed += 1)
  originals.push(await makeImage({ width, height, format: 'jpeg', seed }));
/** Every file is unique: bytes after the end marker of a JPEG are ignored. */
const photos = Array.from({ length: limits.batchItems }, (_, index) =>
  Buffer.concat([originals[index % distinctPhotos] as Buffer, Buffer.from(String(index))]),
);

type Times = { 'first result': number; 'last result': number };

/** Shrinks all photos sequentially with sharp. */
async function measureSharp(): Promise<Times> {
  const start = performance.now();
  let first = Number.NaN;
  for (const [index, photo] of photos.entries()) {
    await sharp(photo).resize({ width: size.longSide }).jpeg({ quality: size.quality }).toBuffer();
    if (index === 0) first = seconds(start);
  }
  return { 'first result': first, 'last result': seconds(start) };
}

/** Uploads all photos, four at a time. */
async function sendPhotos(user: SignedIn, batch: Batch): Promise<void> {
  const left = [...batch.items.entries()];
  const sendNext = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, { id: itemId, name }] = next;
      const body = imageForm(photos[index] as Buffer, {}, name);
      await user.client.putBatchItem({ params: { id: batch.id, itemId }, body });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendNext));
}

/** Times start with the first upload. Results are polled through the batch, as the web app does. */
async function measureBatch(user: SignedIn): Promise<Times & { 'last upload': number }> {
  const items = photos.map((photo, index) => ({
    clientId: String(index),
    name: `photo-${index}.jpg`,
    size: photo.length,
  }));
  const { data: batch } = await user.client.createBatch({ body: { recipe: { engine: 'standard', ...size }, items } });
  const start = performance.now();
  const whenCompleted = (count: number) =>
    waitUntil(
      async () => {
        const { data } = await user.client.getBatch({ params: { id: batch.id } });
        if (data.counts.failed > 0) throw new Error('a file failed');
        return data.counts.completed >= count && seconds(start);
      },
      { timeoutMs: 600_000, everyMs: 100, what: `${count} results` },
    );
  const [last, first, sent] = await Promise.all([
    whenCompleted(photos.length),
    whenCompleted(1),
    sendPhotos(user, batch).then(() => seconds(start)),
  ]);
  return { 'first result': first, 'last upload': sent, 'last result': last };
}

const env = { LEASE_S: '30', SWEEP_S: '5' };
const product = await startBenchProduct({ env });
try {
  const user = await signUp(product.url);
  await updateUser(product.db, user.user.id, { tier: 'enterprise' });
  const megabytes = photos.reduce((sum, { length }) => sum + length, 0) / 1e6;
  console.log(
    `${photos.length} photos of ${width} x ${height} pixels (${megabytes.toFixed(0)} MB), ${concurrency} uploads at once, to ${size.longSide} pixels`,
  );
  const rows = { 'sharp alone, one process': await measureSharp(), 'a batch of the product': await measureBatch(user) };
  console.log('Seconds from the start; goal: first result <= 10');
  reportResults('batch', rows);
} finally {
  await product.close();
}
