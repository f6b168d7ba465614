import { listTopBoxes } from '../heif/describe-heif.ts';
import { makeWorkBudget } from './work-budget.ts';

const [sequence, animation, ignored] = ['ftypavis', 'moov', 'free'];
const brands: Record<string, string> = { avis: 'avif', msf1: 'mif1' };
const brandBytes = 4;

/**
 * Copies an AVIF sequence and labels the copy as a still image, because libvips can't open sequences. Writers of
 * sequences add a still image, which is the first frame. Returns other files unchanged. Throws AppError `corrupt_image`
 * if the file has too many boxes.
 */
export function labelAsStill(file: Buffer): Buffer {
  if (file.toString('latin1', 4, 12) !== sequence) return file;
  const budget = makeWorkBudget();
  const boxes = listTopBoxes(file, () => budget.take('heic'));
  const copy = Buffer.from(file);
  const { start = 0, end = 0 } = boxes[0] ?? {};
  for (let at = start; at + brandBytes <= end; at += brandBytes) {
    const brand = brands[file.toString('latin1', at, at + brandBytes)];
    if (brand) copy.write(brand, at, 'latin1');
  }
  // Overwrites the box type, which follows the length at the start of the box. A box starts where the previous box
  // ends.
  for (const [i, { type }] of boxes.entries())
    if (type === animation) copy.write(ignored, (boxes[i - 1]?.end ?? 0) + 4, 'latin1');
  return copy;
}
