import { AppError } from '@uprez/contracts/errors/app-error';
import { listTopBoxes } from '../../../heif/describe-heif.ts';
import { type Item, readMeta } from '../../../heif/read-meta.ts';
import { makeWorkBudget } from '../../../inspect/work-budget.ts';
import type { MetadataBlocks } from './metadata-blocks.ts';

/** EXIF data begins after a length and as many bytes (ISO/IEC 23008-12, annex A.2.1). */
const prefixBytes = 4;
const xmpType = 'application/rdf+xml';

/** Read the metadata items of a HEIC or AVIF file that describe the primary image. Throws AppError `corrupt_image`. */
export function readHeifBlocks(file: Buffer): MetadataBlocks {
  const budget = makeWorkBudget();
  const take = () => budget.take('heic');
  const box = listTopBoxes(file, take).find(({ type }) => type === 'meta');
  if (!box) throw new AppError('corrupt_image');
  const { items, references, primary } = readMeta(file, box, take);
  const describing = references.filter(({ type, to }) => type === 'cdsc' && to.includes(primary ?? -1));
  const ids = new Set(describing.map(({ from }) => from));
  const find = (accept: (item: Item) => boolean) =>
    [...items.values()].find((item) => ids.has(item.id) && accept(item));
  const found = [find(({ type }) => type === 'Exif'), find(({ contentType }) => contentType === xmpType)];
  const [block, xmp] = found.map((item) => item && joinExtents(file, item));
  const start = block && block.length > prefixBytes ? prefixBytes + block.readUInt32BE(0) : 0;
  const exif = block?.subarray(start);
  return {
    exif: exif && start > 0 && exif.length > 0 ? exif : undefined,
    xmp: xmp && xmp.length > 0 ? [xmp] : [],
    texts: [],
    unread: [block && exif, xmp].some((data) => data?.length === 0),
  };
}

/** The data of an item. Empty if its parts overlap, or reach beyond the file. */
function joinExtents(file: Buffer, item: Item): Buffer {
  const ranges = item.extents.filter(({ start, end }) => end > start);
  const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  return length > file.length
    ? Buffer.alloc(0)
    : Buffer.concat(ranges.map(({ start, end }) => file.subarray(start, end)));
}
