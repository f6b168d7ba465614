import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { compareImages } from './compare-images.ts';
import { makePage } from './make-page.ts';
import { openResultRows, openSourceRows } from './open-decoded.ts';

export type Report = {
  /** Paths of both images. */
  sourceFile: string;
  resultFile: string;
  receipt: Receipt;
  /** What the page is called: the name of the source, say. Any text. */
  name: string;
};

/**
 * Write a page that compares an image with what was made of it: one HTML file that needs nothing else, no network
 * either. Decoded rows lie in a temporary folder meanwhile. Throws Error when a file cannot be read or written.
 */
export async function writeReport(path: string, { sourceFile, resultFile, receipt, name }: Report): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-report-'));
  try {
    const source = await openSourceRows(await readFile(sourceFile), receipt, dir);
    try {
      const result = await openResultRows(await readFile(resultFile), dir);
      try {
        await writeFile(path, makePage({ name, receipt, comparison: await compareImages(source, result) }));
      } finally {
        await result.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
