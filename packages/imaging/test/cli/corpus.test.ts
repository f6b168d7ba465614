import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileReport, formatReports, formatSummary } from '../../src/corpus/format-reports.ts';
import { readCorpusArguments } from '../../src/corpus/read-corpus-arguments.ts';
import { keepChild, listFiles, runCorpus } from '../../src/corpus/run-corpus.ts';
import { encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';

let folder: string;
let png: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uprez-corpus-test-'));
  await mkdir(join(folder, 'deep'));
  png = await encodeAs(makePhoto({ width: 64, height: 48 }), 'png');
  const jpeg = await encodeAs(makePhoto({ width: 64, height: 48 }), 'jpeg');
  await writeFile(join(folder, 'deep/good.png'), png);
  await writeFile(join(folder, 'cut.jpg'), jpeg.subarray(0, jpeg.length * 0.7));
  await writeFile(join(folder, 'LICENSE'), 'words');
  await writeFile(join(folder, 'empty.png'), '');
  await writeFile(join(folder, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
});
afterAll(() => rm(folder, { recursive: true }));

async function run(of: string, ...flags: string[]): Promise<FileReport[]> {
  const job = readCorpusArguments([of, ...flags]);
  if (!job) throw new Error('no job');
  const { signal } = new AbortController();
  const modelsDir = join(folder, 'no-models');
  return runCorpus({ ...job, files: await listFiles(of), modelsDir, signal, onReport: () => {} });
}

it('reports the outcome of every file of a folder', async () => {
  const reports = await run(folder, '--scale', '1.5', '--format', 'webp');
  expect(reports.map(({ file, verdict, code }) => ({ file, verdict, code }))).toEqual([
    { file: 'LICENSE', verdict: 'refused', code: 'unsupported_format' },
    { file: 'cut.jpg', verdict: 'refused', code: 'corrupt_image' },
    { file: 'deep/good.png', verdict: 'accepted', code: undefined },
    { file: 'drawing.svg', verdict: 'refused', code: 'unsupported_format' },
    { file: 'empty.png', verdict: 'refused', code: 'empty_file' },
  ]);
  const good = reports.find(({ verdict }) => verdict === 'accepted');
  expect(good).toMatchObject({ sizeBytes: png.length, receipt: { width: 96, height: 72, format: 'webp' } });
  expect(good?.peakBytes).toBeGreaterThan(20e6);
  expect(formatReports(reports)).toMatch(/deep\/good\.png +\d+ ms +\d+ MB {2}png 64 x 48 -> webp 96 x 72\n/);
  expect(formatSummary(reports)).toContain(
    '5 files: 1 accepted, 4 refused, 0 crashed\nrefused: 2 unsupported_format, 1 corrupt_image, 1 empty_file\n',
  );
  expect((await readdir(folder)).sort()).toEqual(['LICENSE', 'cut.jpg', 'deep', 'drawing.svg', 'empty.png']);
});

it('accepts a result that exceeds the limits of uploads', async () => {
  const wide = join(folder, 'wide');
  await mkdir(wide);
  await writeFile(join(wide, 'wide.png'), await encodeAs(makePhoto({ width: 20_000, height: 2 }), 'png'));
  const [report] = await run(wide);
  expect(report).toMatchObject({ verdict: 'accepted', receipt: { width: 40_000, height: 4 } });
});

it('replaces a child that exceeded its time and reports the reason', async () => {
  const kept = keepChild({ name: 'inspect/child', options: {}, memoryBytes: limits.inspectionMemoryBytes });
  const ask = async (bytes: Buffer, limitMs: number) =>
    (await kept.get()).ask({ message: { type: 'inspect', runId: 'a', sizeBytes: png.length }, bytes, limitMs });
  try {
    expect(await ask(png.subarray(1), 50)).toMatchObject({ died: 'took longer than 0.05 s' });
    expect(await ask(png, limits.inspectionMs)).toMatchObject({
      said: { type: 'inspected', inspection: { width: 64 } },
    });
  } finally {
    await kept.close();
  }
});

it('kills a child that exceeds its memory limit', async () => {
  const kept = keepChild({ name: 'inspect/child', options: {}, memoryBytes: 1_000_000 });
  const message = { type: 'inspect', runId: 'a', sizeBytes: png.length } as const;
  expect(await (await kept.get()).ask({ message, bytes: png.subarray(1), limitMs: 60_000 })).toMatchObject({
    died: 'held more than 1 MB',
  });
  await kept.close();
});

it('throws engine_unavailable when the model is missing', async () => {
  await expect(run(folder, '--engine', 'photo')).rejects.toThrow(new AppError('engine_unavailable'));
});

it.each([[[]], [['a', 'b']], [['a', '--time-limit', 'soon']], [['a', '--scale', '0']], [['a', '--fast']]])(
  'rejects the arguments %j',
  (args) => {
    expect(() => readCorpusArguments(args)).toThrow(AppError);
  },
);
