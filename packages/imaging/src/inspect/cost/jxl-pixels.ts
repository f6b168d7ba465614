import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { TakeStep } from '../../heif/read-boxes.ts';
import { frameKind } from '../../jxl/frames/read-frame-header.ts';
import { openFrameWalk, type WalkedFrame } from '../../jxl/frames/walk-frames.ts';
import type { JxlStream } from '../../jxl/read-jxl-header.ts';
import { weighBytes } from './weigh-bytes.ts';

/** Pixels of an ordinary image that take as long as a pixel of the colors in VarDCT, and as one of a channel in modular mode. */
const [transformed, channel] = [0.5, 0.25];
/** The same for a pass after the first one, and for a pixel of the image that a frame is put on. */
const [pass, blended] = [0.1, 0.1];
/** Work of a frame besides its pixels. */
const framePixels = 500;
const [colors, grey] = [3, 1];
/** Smallest frames, for what can't be read. */
const leastFrameBytes = 16;

/** Pixels that take as long as a frame does. Small frames are put on a copy of the whole image. */
function weighFrame(
  { kind, isModular, passes, width, height }: WalkedFrame,
  { header, isXyb, extraShifts }: JxlStream,
) {
  const planes = extraShifts.reduce((sum, shift) => sum + 4 ** -shift, 0);
  const coded = isModular ? (header.isGrey && !isXyb ? grey : colors) * channel : transformed + (passes - 1) * pass;
  const isShown = kind === frameKind.regular || kind === frameKind.preliminary;
  const canvas = isShown ? header.width * header.height * blended : 0;
  return framePixels + width * height * (coded + planes * channel) + canvas;
}

/** Add up frames. `add` throws AppError `image_too_complex` at more than any encoder writes. */
export function makeFrameCounter() {
  let [frames, pixels, sections] = [0, 0, 0];
  const add = (frame: WalkedFrame, stream: JxlStream) => {
    frames++;
    pixels += weighFrame(frame, stream);
    sections += frame.sections;
    check(frames, limits.jxlFrames);
    check(pixels, limits.jxlPixels);
    check(sections, limits.jxlSections);
  };
  return { add, pixels: () => pixels };
}

function check(value: number, limit: number): void {
  if (value > limit) throw new AppError('image_too_complex', { meta: { limit, value: Math.ceil(value) } });
}

/**
 * Pixels of an ordinary image that take as long to decode as all frames of a JPEG XL, also those that are covered by others, and
 * those for its preview and its references. What isn't understood may be frames: as many as fit. Throws AppError
 * `image_too_complex` or `corrupt_image`.
 */
export function countJxlPixels(file: Buffer, take: TakeStep): number {
  const { add, pixels } = makeFrameCounter();
  const walk = openFrameWalk(file, { take, onFrame: add });
  walk.run();
  const { stream, end, isUnclear } = walk.found();
  const known = Math.max(pixels(), weighBytes('jxl', Math.min(end, file.length)));
  if (!isUnclear) return Math.ceil(known);
  const area = stream ? stream.header.width * stream.header.height : limits.jxlPixels;
  const more = ((file.length - end) / leastFrameBytes) * (area * colors * channel + framePixels);
  return Math.ceil(Math.min(limits.jxlPixels, known + Math.max(0, more)));
}
