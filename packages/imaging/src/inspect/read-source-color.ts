import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/image-formats';
import { type ColorCodes, encode, isSrgb, readCodes, type SourceColor } from '../color/encoding.ts';
import { srgbGamut } from '../color/gamut.ts';
import { readBmpColor } from '../color/read-bmp-color.ts';
import { readPngColor } from '../color/read-png-color.ts';
import { readAvifColors } from '../heif/read-avif-colors.ts';
import type { Colors } from '../heif/read-properties.ts';
import { readGreyCurve } from './read-grey-curve.ts';
import { makeWorkBudget, type WorkBudget } from './work-budget.ts';

const embedded: SourceColor = { kind: 'embedded' };

/**
 * The colors of a file whose header describes them without decoding. The headers of HEIC and JPEG XL are read
 * elsewhere, see `toSourceColor` and `toJxlColor`. Other formats describe colors by an ICC profile only.
 */
export function readSourceColor(file: Buffer, format: InputFormat, budget = makeWorkBudget()): SourceColor {
  if (format === 'png') return readPng(file);
  if (format === 'bmp') return readBmpColor(file);
  return format === 'avif' ? readAvifColor(file, budget) : embedded;
}

function readPng(file: Buffer): SourceColor {
  const color = readPngColor(file);
  const curve = color.kind === 'embedded' ? readGreyCurve(file) : undefined;
  return curve ? { kind: 'encoded', encoding: encode(srgbGamut, curve) } : color;
}

/** The decoder reports damaged boxes. */
function readAvifColor(file: Buffer, budget: WorkBudget): SourceColor {
  try {
    return toSourceColor(readAvifColors(file, () => budget.take('heic')));
  } catch (error) {
    if (error instanceof AppError) return embedded;
    throw error;
  }
}

/** Linear light, PQ, and HLG. */
const convertedTransfers = [8, 16, 18];

/** The colors of a JPEG XL image. Its decoder makes a profile of them, but doesn't map a high dynamic range as browsers do. */
export function toJxlColor(codes: ColorCodes | undefined): SourceColor {
  const isConverted = codes && convertedTransfers.includes(codes.transfer);
  const encoding = isConverted ? readCodes(codes, { usesCameraCurve: false }) : undefined;
  return encoding ? { kind: 'encoded', encoding } : embedded;
}

/** The colors of an image in HEIF: a profile precedes code points, as in browsers. Without both, they are sRGB. */
export function toSourceColor({ icc, codePoints }: Colors): SourceColor {
  if (icc) return embedded;
  const encoding = codePoints && readCodes(codePoints, { usesCameraCurve: false });
  return encoding && !isSrgb(encoding) ? { kind: 'encoded', encoding } : { kind: 'srgb' };
}
