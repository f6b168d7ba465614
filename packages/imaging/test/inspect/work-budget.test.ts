import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { isFullRun } from '@uprez/testing/config';
import { testSeed } from '@uprez/testing/random';
import { describe, expect, it } from 'vitest';
import { inspectRanges } from '../../src/inspect/inspect.ts';
import { makeWorkBudget } from '../../src/inspect/work-budget.ts';
import { corruptions } from '../hostile/damage.ts';
import { overlappingTiff, structureBombs, structures, tiffOf } from '../hostile/structure-bombs.ts';

const copies = isFullRun ? 2_000 : 60;
/** The gateway kills a child that reads more often. */
const maxReads = 64;
/** Each loop of a parser stops at its first step beyond the limit. */
const loops = 4;
const stepLimit = Math.max(...Object.values(limits.inspectionSteps)) + loops;

/** Inspects a file and returns `accepted` or the code of its error, with the work that this took. */
async function measure(file: Buffer) {
  const budget = makeWorkBudget();
  const work = { reads: 0, bytes: 0 };
  const read = async (from: number, length: number) => {
    work.reads++;
    work.bytes += length;
    return file.subarray(from, from + length);
  };
  const outcome = await inspectRanges({ sizeBytes: file.length, read, budget }).then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );
  return { outcome, steps: budget.steps(), ...work };
}

describe('a file with more parts than any real image', () => {
  it.each(structureBombs)('$name returns $code within its budget', async ({ code, make }) => {
    const file = await make();
    const { outcome, ...work } = await measure(file);
    expect(outcome).toBe(code);
    expect(work.steps).toBeLessThanOrEqual(stepLimit);
    expect(work.reads).toBeLessThan(maxReads);
    expect(work.bytes).toBeLessThanOrEqual(file.length);
  });

  it('takes steps in proportion to its directories, not to their entries', async () => {
    expect((await measure(overlappingTiff(96_000, 900))).steps).toBeLessThan(1_000);
  });
});

describe('a file with many parts', () => {
  it.each(structures)('is accepted as $format with $parts', async ({ format, make }) => {
    const parts = format === 'tiff' ? limits.tiffEntries / 2 : Math.floor(limits.inspectionSteps[format] / 4);
    expect((await measure(await make(parts))).outcome).toBe('accepted');
  });

  it('is accepted as TIFF with 1,000 pages of 60 entries', async () => {
    expect(await measure(tiffOf({ entries: 51, pages: 1_000 }))).toMatchObject({ outcome: 'accepted' });
  });
});

describe.each(structures)('a $format file with $parts and changed bytes', ({ make }) => {
  it('is accepted or rejected within its budget', async () => {
    for (const file of corruptions(await make(100), { seed: testSeed, count: copies })) {
      const { steps, reads } = await measure(file);
      expect(steps).toBeLessThanOrEqual(stepLimit);
      expect(reads).toBeLessThan(maxReads);
    }
  });
});
