import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { makeRandom } from '@uprez/testing/random';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeReport } from '../../src/cli/process-file.ts';
import { resample } from '../../src/engine/rows/resample.ts';
import { makeBmpFile } from '../hostile/bmp-file.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { type Image, makeImage, makePhoto } from '../support/images.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-report-test-'));
  // Temporary files go to the same folder, so that leftovers show.
  process.env.TMPDIR = dir;
});
afterAll(async () => {
  delete process.env.TMPDIR;
  await rm(dir, { recursive: true });
});

const sha256 = 'ab'.repeat(32);
const receiptOf = (source: Image, result: Image, changes: Partial<Receipt> = {}): Receipt => ({
  ...{ engine: 'photo-fast', variant: 'int8', variantReason: 'fast and exact here', model: 'cd'.repeat(32) },
  ...{ device: 'cpu', versions: { sharp: '0.35.5' }, passes: 1, tiles: 12, tile: { core: 192, overlap: 24, fade: 6 } },
  ...{ strips: 0, bands: 0, strip: null },
  source: { width: source.width, height: source.height, sizeBytes: 1_536, sha256 },
  ...{ width: result.width, height: result.height, format: 'png', quality: null, bitDepth: 8, frames: 1 },
  ...{ sizeBytes: 2_097_152, sha256, stagesMs: { decode: 12.4, enlarge: 1_234 }, thumbhash: '' },
  colorDifference: { mean: 0.41, worst: 1.436 },
  fidelity: { score: 96.42, structure: 0.9658, color: 0.41 },
  retries: [{ engine: 'photo-fast', variant: 'fp32', reason: 'one cell was off' }],
  notes: ['The first frame was used.'],
  ...changes,
});

/** `file`: the source as a file, PNG unless told. */
type Made = { source: Image; result: Image; file?: Buffer | undefined; name?: string; receipt?: Partial<Receipt> };
async function makeReport({ source, result, file, name = 'photo.png', receipt }: Made): Promise<string> {
  const [sourceFile, resultFile, path] = ['source', 'result.png', 'page.html'].map((part) => join(dir, part));
  if (!sourceFile || !resultFile || !path) throw new Error('no path');
  await writeFile(sourceFile, file ?? (await encodeAs(source, 'png')));
  await writeFile(resultFile, await encodeAs(result, 'png'));
  await writeReport(path, { sourceFile, resultFile, receipt: receiptOf(source, result, receipt), name });
  return readFile(path, 'utf8');
}
const plainly = (source: Image, factor: number) =>
  readAll(resample(streamOf(source), { width: source.width * factor, height: source.height * factor }));

/** The images of a page whose alternative text begins so, decoded. */
async function imagesOf(page: string, alt: string): Promise<Image[]> {
  const uris = page.matchAll(new RegExp(`src="data:image/webp;base64,([^"]+)" alt="${alt}`, 'g'));
  return Promise.all(Array.from(uris, ([, data]) => decodeFile(Buffer.from(data ?? '', 'base64'))));
}

const withoutImages = (page: string) => page.replace(/data:image\/webp;base64,[A-Za-z0-9+/=]+/g, 'IMAGE');
const voidTags = ['meta', 'img', 'input', 'br'];
/** Names of tags that are opened and not closed in order. */
function findUnclosed(page: string): string[] {
  const body = page.replace(/<(style|script)>.*?<\/\1>/gs, '');
  const open: string[] = [];
  for (const [, slash, name = '', self] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*?)?(\/?)>/gi)) {
    if (slash) {
      if (open.pop() !== name) return [...open, `/${name}`];
    } else if (!self && !voidTags.includes(name)) open.push(name);
  }
  return open;
}

it('writes a self-contained page', async () => {
  const source = makePhoto({ width: 160, height: 120 });
  const page = await makeReport({ source, result: await plainly(source, 4) });
  expect(page.slice(0, 15)).toBe('<!doctype html>');
  expect(findUnclosed(withoutImages(page))).toEqual([]);
  const text = withoutImages(page);
  expect(text).not.toMatch(/https?:|\burl\(|@import|(src|href)="(?!IMAGE")|\/\/[a-z]/);
  const script = /<script>(.*?)<\/script>/s.exec(page)?.[1] ?? '';
  expect(text).toContain(`script-src &#39;sha256-${createHash('sha256').update(script).digest('base64')}&#39;`);
  expect(text).toMatch(/<input type="range" min="0" max="100" step="1" value="50" aria-label="[^"]+">/);
  expect((await readdir(dir)).sort()).toEqual(['page.html', 'result.png', 'source']);
});

it('shows the whole receipt', async () => {
  const source = makePhoto({ width: 40, height: 30 });
  const page = await makeReport({ source, result: await plainly(source, 2) });
  for (const fact of [
    '40 x 30 -&gt; 80 x 60 · 1.5 KB -&gt; 2.0 MB · 1.2 s · photo-fast',
    'int8: fast and exact here',
    'cd'.repeat(32),
    sha256,
    '1 pass of 4x, 12 tiles of 192 x 192 pixels and 24 of overlap',
    '0.4 average, 1.4 maximum (1 is just visible)',
    '1,234 ms',
    'photo-fast, fp32, one cell was off',
    'The first frame was used.',
    'sharp 0.35.5',
  ])
    expect(withoutImages(page)).toContain(fact);
});

it('shows strips instead of tiles', async () => {
  const source = makePhoto({ width: 40, height: 30 });
  const receipt = { tiles: 0, tile: null, strips: 9, bands: 2 };
  const strip = { rows: 16, width: 108, border: 34, lag: 34 };
  const page = await makeReport({ source, result: await plainly(source, 2), receipt: { ...receipt, strip } });
  expect(withoutImages(page)).toContain('1 pass of 4x, 9 strips of 16 rows in 2 bands');
});

it('escapes file names and notes', async () => {
  const source = makePhoto({ width: 16, height: 12 });
  const name = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;.png`;
  const notes = ['</li></ul><iframe srcdoc="x">'];
  const page = await makeReport({ source, result: await plainly(source, 2), name, receipt: { notes } });
  expect(withoutImages(page)).toContain(
    '<h1>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;&amp;amp;.png</h1>',
  );
  expect(withoutImages(page).match(/<script/g)).toHaveLength(1);
  expect(withoutImages(page)).not.toContain('<iframe');
  expect(findUnclosed(withoutImages(page))).toEqual([]);
});

it('shows only the differences from plain resampling', async () => {
  const source = makePhoto({ width: 64, height: 48 });
  const plain = await plainly(source, 4);
  const same = await makeReport({ source, result: plain });
  expect(withoutImages(same)).toContain('The average difference is 0.00 of 255 levels.');
  expect(withoutImages(same)).toContain('amplified 32x');
  const [black] = await imagesOf(same, 'Absolute difference');
  expect(black?.data.every((value) => value === 0)).toBe(true);

  const isMarked = (x: number, y: number) => x >= 200 && x < 220 && y >= 100 && y < 110;
  const result = makeImage({ width: 256, height: 192 }, (x, y) =>
    [0, 1, 2].map((c) => (plain.data[(y * 256 + x) * 3 + c] ?? 0) + (isMarked(x, y) ? (c === 0 ? 20 : -20) : 0)),
  );
  const marked = await makeReport({ source, result });
  const gain = Number(/amplified (\d+)x/.exec(marked)?.[1]);
  expect([4, 8, 16, 32]).toContain(gain);
  const [difference] = await imagesOf(marked, 'Absolute difference');
  const at = (x: number, y: number) => difference?.data[(y * 256 + x) * 3];
  expect(at(210, 105)).toBeGreaterThan(3 * gain);
  expect([at(190, 105), at(230, 105), at(210, 90), at(210, 120)]).toEqual([0, 0, 0, 0]);
});

it('crops both images where the detail is highest', async () => {
  const isBusy = (x: number, y: number) => x >= 300 && y >= 200;
  const source = makeImage({ width: 400, height: 300 }, (x, y) =>
    isBusy(x, y) ? [((x * 7 + y * 13) % 17) * 15, (x % 2) * 255, (y % 2) * 255] : [90, 90, 90],
  );
  const result = await plainly(source, 2);
  const page = await makeReport({ source, result });
  const [before] = await imagesOf(page, 'Original, standard');
  const [after] = await imagesOf(page, 'Result" ?(?=>)');
  expect(before).toMatchObject({ width: 320, height: 320 });
  expect(withoutImages(page)).toContain('320 x 320 pixels, 480 from the left and 280 from the top.');
  const wanted = makeImage({ width: 320, height: 320 }, (x, y) =>
    [0, 1, 2].map((c) => result.data[((y + 280) * 800 + x + 480) * 3 + c] ?? 0),
  );
  expect(before?.data).toEqual(Buffer.from(wanted.data));
  expect(after?.data).toEqual(Buffer.from(wanted.data));
});

it('compares the center when the result is a crop', async () => {
  const source = makePhoto({ width: 96, height: 64 });
  const middle = makeImage({ width: 64, height: 64 }, (x, y) => [
    ...source.data.subarray((y * 96 + x + 16) * 3, (y * 96 + x + 16) * 3 + 3),
  ]);
  expect(withoutImages(await makeReport({ source, result: await plainly(middle, 2) }))).toContain(
    'The average difference is 0.00 of',
  );
});

it.each(['grey', 'turned', 'BMP', '16 bits'])('decodes the source as the engine does: %s', async (kind) => {
  const upright = makePhoto({ width: 60, height: 40, channels: kind === 'grey' ? 1 : 3 });
  const sources: Record<string, () => Promise<Buffer>> = {
    grey: () => encodeAs(upright, 'png'),
    turned: () => toSharp(upright).rotate(-90).withMetadata({ orientation: 6 }).png().toBuffer(),
    BMP: async () => makeBmpFile(upright, { bits: 24 }, ([r = 0, g = 0, b = 0]) => (r << 16) | (g << 8) | b),
    '16 bits': () => toSharp(upright).toColorspace('rgb16').png().toBuffer(),
  };
  const file = await sources[kind]?.();
  const page = await makeReport({ source: upright, result: await plainly(upright, 2), file });
  expect(withoutImages(page)).toContain('The average difference is 0.00 of 255 levels.');
});

it('keeps transparency and names the background of the comparison', async () => {
  const source = makeImage({ width: 60, height: 40, channels: 4 }, (x) => [200, 60, 30, x < 30 ? 0 : 255]);
  const page = await makeReport({ source, result: source });
  expect(withoutImages(page)).toContain('Transparent parts are compared on white.');
  expect(withoutImages(page)).toContain('class="compare shaped checked"');
  const [before] = await imagesOf(page, 'The original');
  expect(before?.channels).toBe(4);
});

it('is small for large and noisy results', async () => {
  const random = makeRandom(1);
  const source = makeImage({ width: 350, height: 280 }, () => [random(256), random(256), random(256)]);
  const result = await plainly(source, 5);
  const page = await makeReport({ source, result });
  expect(page.length).toBeLessThan(5_000_000);
  const [after] = await imagesOf(page, 'The result');
  expect(after).toMatchObject({ width: 1_600, height: 1_280 });
});
