import { expect } from 'vitest';
import { shownPixel } from './color-files.ts';
import { processFile, toReadable } from './run-job.ts';

/** Expects a result and its thumbnail to be shown in this color, within 4 of 255. Returns the receipt. */
export async function expectShown(file: Buffer, wanted: number[], recipe: Parameters<typeof processFile>[1] = {}) {
  const { result, thumbnail, report } = await processFile(file, { format: 'png', ...recipe });
  for (const image of [await toReadable(result), thumbnail]) {
    const shown = await shownPixel(image);
    const worst = Math.max(...shown.map((value, i) => Math.abs(value - (wanted[i] as number))));
    expect(worst, `${recipe.format}: ${shown} instead of ${wanted}`).toBeLessThanOrEqual(4);
  }
  return report;
}
