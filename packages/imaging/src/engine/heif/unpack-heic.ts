import { describeHeif, type HeifImage } from '../../heif/describe-heif.ts';
import { hasDamagedProfile, toSourceColor } from '../../inspect/read-source-color.ts';
import { makeWorkBudget } from '../../inspect/work-budget.ts';
import { applyColor } from '../color/apply-color.ts';
import { cropRows } from '../rows/crop-rows.ts';
import { writeTiff } from '../rows/write-tiff.ts';
import { decodeNotes } from '../steps/decode-notes.ts';
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

/** Decode the primary image of a HEIC file to a TIFF, one row of tiles at a time. Throws AppError `corrupt_image`. */
export async function unpackHeic({ file, path, onTile, report }: Unpacking): Promise<Unpacked> {
  const budget = makeWorkBudget();
  const image = describeHeif(file, () => budget.take('heic'));
  const rows = openHeifRows({ file, decoder: openHevcDecoder(), onTile }, image);
  const { area, orientation } = image.view;
  const color = toSourceColor(file, image.colors);
  const applied = await applyColor({ rows: cropRows(rows, area), color, profile: findProfile(file, image), path });
  await writeTiff(path, applied.rows, {
    icc: applied.icc,
    orientation,
    onRows: (count) => report(count / area.height),
  });
  const dropped = hasDamagedProfile(file, image.colors) ? [decodeNotes.profileUnusable] : [];
  return { path, notes: [...dropped, ...applied.notes] };
}

function findProfile(file: Buffer, { colors: { icc } }: HeifImage): Buffer | undefined {
  return icc && icc.end > icc.start ? file.subarray(icc.start, icc.end) : undefined;
}
