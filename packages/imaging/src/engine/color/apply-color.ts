import { makeTargetConverter } from '../../color/convert-samples.ts';
import { isSrgb, type SourceColor, targetOf } from '../../color/encoding.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { decodeNotes } from '../steps/decode-notes.ts';
import { makeProfile } from './make-profile.ts';

/** Decoded rows of a file, with its colors and its embedded profile. */
type Decoded = { rows: RowStream; color: SourceColor; profile?: Buffer | undefined };

/** Convert rows to the colors in which images are stored. Returns also their profile, which sRGB doesn't need, and notes. */
export function applyColor({ rows, color, profile }: Decoded): { rows: RowStream; icc?: Buffer; notes: string[] } {
  if (color.kind !== 'encoded')
    return { rows, ...(color.kind === 'embedded' && profile && { icc: profile }), notes: [] };
  const { encoding } = color;
  const convert = makeTargetConverter(encoding, rows);
  const target = targetOf(encoding, rows.channels < 3);
  const read = async (count: number) => {
    const samples = await rows.read(count);
    convert?.(samples);
    return samples;
  };
  return {
    rows: { ...rows, read },
    ...(!isSrgb(target) && { icc: makeProfile(target) }),
    notes: encoding.highRange ? [decodeNotes.highRange] : [],
  };
}
