import { AppError } from '@uprez/contracts/errors/app-error';
import { countStep, type TakeStep } from '../../heif/read-boxes.ts';
import { CutCodestream, MissingBytes, openCodestream } from '../open-codestream.ts';
import { readBits } from '../read-bits.ts';
import { type JxlSize, type JxlStream, readJxlStream, signatureBytes } from '../read-jxl-header.ts';
import { type JxlFrame, readFrameHeader } from './read-frame-header.ts';
import { readSections } from './read-sections.ts';
import { skipToFrames } from './skip-to-frames.ts';

export type WalkedFrame = JxlFrame & { sections: number; bytes: number };
/** The frames of an image, its preview included. */
export type JxlFrames = {
  stream?: JxlStream;
  frames: readonly WalkedFrame[];
  /** Byte of the codestream after the last one of them. */
  end: number;
  /** The codestream goes on in a way that isn't understood: there may be more. */
  isUnclear: boolean;
};

type Access = {
  take: TakeStep;
  isLoaded?: (from: number, until: number) => boolean;
  /** Called for each frame. Ends the walk by an error. */
  onFrame?: (frame: WalkedFrame, stream: JxlStream) => void;
};

/**
 * Walk the frames of a JPEG XL file (ISO/IEC 18181-1, annex F) up to the last one, or to the end of the file. Decoders read no
 * further either. `run` returns the range that has to be loaded to go on, or undefined at the end. Throws AppError
 * `corrupt_image` if the file has more boxes, frames, and codes than real files, `image_too_complex`, and the errors of `onFrame`.
 */
export function openFrameWalk(file: Buffer, { onFrame, ...access }: Access) {
  const frames: WalkedFrame[] = [];
  const byteAt = openCodestream(file, access);
  const { take } = access;
  let stream: JxlStream | undefined;
  let preview: JxlSize | undefined;
  let at = signatureBytes;
  let [isWhole, isCut] = [false, false];

  const readStart = () => {
    const bits = readBits(byteAt, at);
    const found = readJxlStream(bits);
    skipToFrames(bits, found, take);
    at = bits.align();
    preview = found.preview;
    stream = found;
  };
  /** Returns whether it was the last one. */
  const readFrame = (known: JxlStream): boolean => {
    const bits = readBits(byteAt, at);
    const frame = readFrameHeader(bits, known, preview ?? known.header);
    const { start, ...sections } = readSections(bits, frame, take);
    at = start + sections.bytes;
    const isLast = frame.isLast && !preview;
    preview = undefined;
    const walked = { ...frame, ...sections };
    frames.push(walked);
    countStep(take);
    onFrame?.(walked, known);
    return isLast;
  };
  const run = (): MissingBytes | undefined => {
    try {
      if (!stream) readStart();
      while (stream && !isWhole) isWhole = readFrame(stream);
    } catch (error) {
      if (error instanceof MissingBytes) return error;
      isCut = error instanceof CutCodestream;
      if (!isCut && !isUnreadable(error)) throw error;
    }
    return undefined;
  };
  const found = (): JxlFrames => ({ ...(stream && { stream }), frames, end: at, isUnclear: !isWhole && !isCut });
  return { run, found };
}

/** Whether an error is due to the file, and not to a limit. */
const isUnreadable = (error: unknown) =>
  error instanceof AppError && error.code === 'corrupt_image' && error.limitName === undefined;
