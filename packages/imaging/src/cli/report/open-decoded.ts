import type { Sharp } from 'sharp';
import { guardedSharp } from '../../decoders.ts';
import type { RowFile } from '../../engine/rows/row-file.ts';
import { openVipsFile } from '../../engine/rows/vips-file.ts';
import { decodeBmp } from '../../engine/steps/decode-bmp.ts';
import { sniffFormat } from '../../inspect/sniff-format.ts';

type Area = { left: number; top: number; width: number; height: number };
export type Decoding = {
  file: Buffer;
  /** Where the rows may lie meanwhile, a name that ends in `.v`. */
  path: string;
  crop: Area | null;
};

/** The first picture of a file, upright. */
function openUpright(file: Buffer): Sharp {
  if (sniffFormat(file)?.readable !== 'bmp')
    return guardedSharp(file, { failOn: 'none', limitInputPixels: false, sequentialRead: true }).autoOrient();
  const { data, ...raw } = decodeBmp(file);
  return guardedSharp(data, { raw, limitInputPixels: false });
}

/** Decode a picture, or a part of it, for a screen: 8 bits, sRGB, with transparency where the file has any. */
export async function openDecoded({ file, path, crop }: Decoding): Promise<RowFile> {
  const upright = openUpright(file);
  await (crop ? upright.extract(crop) : upright).toColourspace('srgb').toFile(path);
  return openVipsFile(path);
}
