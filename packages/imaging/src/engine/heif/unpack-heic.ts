import { describeHeif, type HeifImage } from '../../heif/describe-heif.ts';
import { isHighRange, makeProfile, needsProfile } from '../../heif/make-profile.ts';
import { makeWorkBudget } from '../../inspect/work-budget.ts';
import { cropRows } from '../rows/crop-rows.ts';
import { writeTiff } from '../rows/write-tiff.ts';
import type { Unpacked } from '../unpacked.ts';
import { openHeifRows } from './open-heif-rows.ts';
import { openHevcDecoder } from './open-hevc-decoder.ts';

type Unpacking = {
  file: Buffer;
  path: string;
  /** Called before each tile; may throw. */
  onTile: () => void;
  report: (share: number) => void;
};

const highRange = 'The colors were converted from a high dynamic range to the standard range.';

/** Decode the primary image of a HEIC file to a TIFF, one row of tiles at a time. Throws AppError `corrupt_image`. */
export async function unpackHeic({ file, path, onTile, report }: Unpacking): Promise<Unpacked> {
  const budget = makeWorkBudget();
  const image = describeHeif(file, () => budget.take('heic'));
  const rows = openHeifRows({ file, decoder: openHevcDecoder(), onTile }, image);
  const { area, orientation } = image.view;
  await writeTiff(path, cropRows(rows, area), {
    icc: findProfile(file, image),
    orientation,
    onRows: (count) => report(count / area.height),
  });
  return { path, notes: isHighRange(image.colors.codePoints) && !image.colors.icc ? [highRange] : [] };
}

function findProfile(file: Buffer, { colors }: HeifImage): Buffer | undefined {
  const { icc, codePoints } = colors;
  if (icc) return icc.end > icc.start ? file.subarray(icc.start, icc.end) : undefined;
  return needsProfile(codePoints) ? makeProfile(codePoints) : undefined;
}
