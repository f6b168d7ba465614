import type { InputFormat } from '@uprez/contracts/policy/image-formats';
import { makeWorkBudget } from '../../../inspect/work-budget.ts';
import { openJxlContainer } from '../../../jxl/open-container.ts';
import { readGifBlocks } from './gif-blocks.ts';
import { readHeifBlocks } from './heif-blocks.ts';
import { readJpegBlocks } from './jpeg-blocks.ts';
import type { MetadataBlocks } from './metadata-blocks.ts';
import { readPngBlocks } from './png-blocks.ts';
import { readTiffBlocks } from './tiff-blocks.ts';
import { readWebpBlocks } from './webp-blocks.ts';

const readers: Record<InputFormat, (file: Buffer) => MetadataBlocks> = {
  jpeg: readJpegBlocks,
  png: readPngBlocks,
  webp: readWebpBlocks,
  gif: readGifBlocks,
  tiff: readTiffBlocks,
  avif: readHeifBlocks,
  heic: readHeifBlocks,
  jxl: readJxlBlocks,
  bmp: () => noBlocks,
};

const noBlocks: MetadataBlocks = { xmp: [], texts: [] };

/** Find the metadata in a file. What lies behind a damaged part isn't found. Never throws. */
export function findBlocks(file: Buffer, format: InputFormat): MetadataBlocks {
  try {
    return readers[format](file);
  } catch {
    return { ...noBlocks, unread: true };
  }
}

function readJxlBlocks(file: Buffer): MetadataBlocks {
  const budget = makeWorkBudget();
  const { exif, xmp, unread = false } = openJxlContainer(file, () => budget.take('jxl'));
  return { exif, xmp: xmp ? [xmp] : [], texts: [], unread };
}
