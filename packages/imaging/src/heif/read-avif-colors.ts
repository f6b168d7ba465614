import { listTopBoxes } from './describe-heif.ts';
import { readSequenceColors } from './read-av1-config.ts';
import type { TakeStep } from './read-boxes.ts';
import { type Item, type Meta, readMeta } from './read-meta.ts';
import { type Colors, findProperty, readColors } from './read-properties.ts';

/** The colors of the primary image of an AVIF file. Throws AppError `corrupt_image`. */
export function readAvifColors(file: Buffer, take: TakeStep): Colors {
  const box = listTopBoxes(file, take).find(({ type }) => type === 'meta');
  const meta = box && readMeta(file, box, take);
  const primary = meta?.items.get(meta.primary ?? -1);
  if (!meta || !primary) return {};
  const tile = firstTile(meta, primary);
  const colors = { ...readColors(file, tile), ...readColors(file, primary) };
  if (colors.icc || colors.codePoints) return colors;
  const config = findProperty(tile, 'av1C');
  const codePoints = config && readSequenceColors([file.subarray(config.start, config.end), dataOf(file, tile)]);
  return codePoints ? { codePoints } : {};
}

function firstTile({ items, references }: Meta, item: Item): Item {
  const [first = -1] = references.find(({ type, from }) => type === 'dimg' && from === item.id)?.to ?? [];
  return items.get(first) ?? item;
}

function dataOf(file: Buffer, { extents }: Item): Buffer {
  const [{ start, end } = { start: 0, end: 0 }] = extents;
  return file.subarray(start, end);
}
