import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { TakeStep } from '../../heif/read-boxes.ts';
import { frameKind } from '../../jxl/frames/read-frame-header.ts';
import { openFrameWalk, type WalkedFrame } from '../../jxl/frames/walk-frames.ts';
import type { JxlStream } from '../../jxl/read-jxl-header.ts';
import { toEquivalentPixels } from './to-equivalent-pixels.ts';

/**
 * Decoding costs, measured in ordinary pixels: for each pixel in VarDCT (all colors), and for each sample of a channel
 * in modular mode.
 */
const [transformed, channel] = [0.5, 0.25];
/**
 * Decoding costs, measured in ordinary pixels: for each pixel of a pass after the first, and for each pixel of the
 * canvas that a frame is blended onto.
 */
const [pass, blended] = [0.1, 0.1];
/** Cost of a frame in addition to its pixels, measured in ordinary pixels. */
const frameCostPixels = 500;
const [colors, grey] = [3, 1];
/** Minimum size of a frame, in bytes. It limits the number of frames that are assumed in data that can't be read. */
const minFrameBytes = 16;

/** Even small frames are blended onto a copy of the whole image. */
function estimateFrameCost(
  { kind, isModular, passes, width, height }: WalkedFrame,
  { header, isXyb, extraShifts }: JxlStream,
) {
  const planes = extraShifts.reduce((sum, shift) => sum + 4 ** -shift, 0);
  const coded = isModular ? (header.isGray && !isXyb ? grey : colors) * channel : transformed + (passes - 1) * pass;
  const isShown = kind === frameKind.regular || kind === frameKind.preliminary;
  const canvas = isShown ? header.width * header.height * blended : 0;
  return frameCostPixels + width * height * (coded + planes * channel) + canvas;
}

/** Creates a counter of frames. `add` throws AppError `image_too_complex` if the total exceeds what encoders write. */
export function makeFrameCounter() {
  let [frames, pixels, sections] = [0, 0, 0];
  const add = (frame: WalkedFrame, stream: JxlStream) => {
    frames++;
    pixels += estimateFrameCost(frame, stream);
    sections += frame.sections;
    checkLimit(frames, limits.jxlFrames);
    checkLimit(pixels, limits.jxlPixels);
    checkLimit(sections, limits.jxlSections);
  };
  return { add, pixels: () => pixels };
}

function checkLimit(value: number, limit: number): void {
  if (value > limit) throw new AppError('image_too_complex', { meta: { limit, value: Math.ceil(value) } });
}

/**
 * Returns the number of pixels in an ordinary image that takes as long to decode as all frames of a JPEG XL, including
 * covered, preview, and reference frames. Data that can't be read is assumed to be full of the smallest frames. Throws
 * AppError `image_too_complex` or `corrupt_image`.
 */
export function countJxlPixels(file: Buffer, take: TakeStep): number {
  const { add, pixels } = makeFrameCounter();
  const walk = openFrameWalk(file, { take, onFrame: add });
  walk.run();
  const { stream, end, isUnclear } = walk.found();
  const known = Math.max(pixels(), toEquivalentPixels('jxl', Math.min(end, file.length)));
  if (!isUnclear) return Math.ceil(known);
  const area = stream ? stream.header.width * stream.header.height : limits.jxlPixels;
  const more = ((file.length - end) / minFrameBytes) * (area * colors * channel + frameCostPixels);
  return Math.ceil(Math.min(limits.jxlPixels, known + Math.max(0, more)));
}
