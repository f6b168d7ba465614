import { rm } from 'node:fs/promises';
import { makeTargetConverter } from '../../color/convert-samples.ts';
import { encode, isSrgb, type SourceColor, targetOf } from '../../color/encoding.ts';
import { srgbGamut } from '../../color/gamut.ts';
import { toLinear } from '../../color/srgb.ts';
import { guardedSharp } from '../../decoders.ts';
import { checkProfile } from '../../inspect/icc-profile.ts';
import { readGreyCurve } from '../../inspect/read-grey-curve.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { writeTiff } from '../rows/write-tiff.ts';
import { decodeNotes } from '../steps/decode-notes.ts';
import { makeProfile } from './make-profile.ts';

/** Decoded rows of a file, with its colors and its embedded profile. `path`: a file next to which others can be written. */
type Decoded = { rows: RowStream; color: SourceColor; profile?: Buffer | undefined; path: string };
type Applied = { rows: RowStream; icc?: Buffer; notes: string[] };

/**
 * Convert rows to the colors in which images are stored. Returns also their profile, which sRGB doesn't need, and notes. Gray
 * becomes that of sRGB, because WebP and AVIF can't store its profiles.
 */
export async function applyColor({ rows, color, profile, path }: Decoded): Promise<Applied> {
  if (color.kind === 'encoded') return convert(rows, color);
  if (color.kind === 'srgb' || !profile) return { rows, notes: [] };
  if (rows.channels > 2) return { rows, icc: profile, notes: [] };
  const curve = checkProfile(profile, 'grey') === 'usable' ? await openGreyCurve(profile, path) : undefined;
  if (!curve) return { rows, notes: [decodeNotes.profileUnusable] };
  return convert(rows, { kind: 'encoded', encoding: encode(srgbGamut, curve) });
}

function convert(rows: RowStream, { encoding }: Extract<SourceColor, { kind: 'encoded' }>): Applied {
  const change = makeTargetConverter(encoding, rows);
  const target = targetOf(encoding, rows.channels < 3);
  const read = async (count: number) => {
    const samples = await rows.read(count);
    change?.(samples);
    return samples;
  };
  return {
    rows: { ...rows, read },
    ...(!isSrgb(target) && { icc: makeProfile(target) }),
    notes: encoding.highRange ? [decodeNotes.highRange] : [],
  };
}

const steps = 65_536;

/** The curve of a gray profile. Profiles with a table are applied to all steps by libvips. */
async function openGreyCurve(profile: Buffer, path: string) {
  const curve = readGreyCurve(profile);
  if (curve) return curve;
  const ramp = `${path}.ramp.tif`;
  const samples = Uint16Array.from({ length: steps }, (_, i) => i);
  try {
    const size = { width: steps, height: 1, channels: 1, depth: 16 } as const;
    await writeTiff(ramp, { ...size, read: async () => samples }, { icc: profile, onRows: () => {} });
    // sharp applies profiles of 16 bits of gray at the end only, and writes equal channels then.
    const { data, info } = await guardedSharp(ramp)
      .withIccProfile('srgb', { attach: false })
      .toColorspace('grey16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    const shown = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
    return (sample: number) =>
      toLinear((shown[Math.round(sample * (steps - 1)) * info.channels] as number) / (steps - 1));
  } finally {
    await rm(ramp, { force: true });
  }
}
