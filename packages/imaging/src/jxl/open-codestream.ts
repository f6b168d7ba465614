import { AppError } from '@uprez/contracts/errors/app-error';
import { findBox } from '../heif/describe-heif.ts';
import { countStep, type TakeStep } from '../heif/read-boxes.ts';
import type { ByteAt } from './make-bit-reader.ts';

/** Thrown when a range of a file must be loaded before reading can continue. */
export class MissingBytes extends Error {
  readonly from: number;
  readonly until: number;

  constructor(from: number, until: number) {
    super('bytes of a file are missing');
    this.from = from;
    this.until = until;
  }
}

/** Thrown when the codestream ends before its last frame. */
export class CutCodestream extends AppError {
  constructor() {
    super('corrupt_image');
  }
}

export const indexBytes = 4;
const bareSignature = 0xff0a;

/** Whether a file is a codestream without a container. */
export const isBareCodestream = (file: Buffer): boolean => file.length >= 2 && file.readUInt16BE(0) === bareSignature;

type AccessOptions = { take: TakeStep; isLoaded?: (from: number, until: number) => boolean };
/** Bytes `start` (inclusive) to `end` (exclusive) of the codestream. They are stored at offset `at` in the file. */
type Part = { start: number; end: number; at: number };

const boxHeaderBytes = 16;
/** Size of the blocks in which lookups are cached, in bytes. */
const blockBytes = 4_096;

/**
 * Opens the codestream of a file, which is stored in one or more boxes (ISO/IEC 18181-2). Reading throws
 * `CutCodestream` (an AppError `corrupt_image`) beyond the end, `MissingBytes` where the file isn't loaded, and
 * AppError `corrupt_image` if the file has too many boxes.
 */
export function openCodestream(file: Buffer, { take, isLoaded = () => true }: AccessOptions): ByteAt {
  const parts: Part[] = [];
  let nextBox = 0;
  const load = (from: number, until: number) => {
    const end = Math.min(until, file.length);
    if (!isLoaded(from, end)) throw new MissingBytes(from, end);
  };
  const addPart = () => {
    load(nextBox, nextBox + boxHeaderBytes);
    if (nextBox === 0 && isBareCodestream(file)) {
      nextBox = file.length;
      return void parts.push({ start: 0, end: file.length, at: 0 });
    }
    const box = findBox(file, nextBox);
    if (!box) throw new CutCodestream();
    countStep(take);
    nextBox = box.end;
    const at = box.type === 'jxlp' ? box.start + indexBytes : box.start;
    if ((box.type !== 'jxlp' && box.type !== 'jxlc') || at >= box.end) return;
    const start = parts.at(-1)?.end ?? 0;
    parts.push({ start, end: start + box.end - at, at });
  };
  // Range of the last lookup in the codestream, and the offset that converts positions in this range to positions in
  // the file.
  let [start, end, shift] = [0, 0, 0];
  const lookUp = (at: number) => {
    while (at >= (parts.at(-1)?.end ?? 0)) addPart();
    // Starts searching at the last part, because reads move forward.
    const part = parts.findLast((one) => one.start <= at) as Part;
    const place = at - part.start + part.at;
    const until = Math.min(part.end - part.start + part.at, (Math.floor(place / blockBytes) + 1) * blockBytes);
    load(place, until);
    [start, end, shift] = [at, at + until - place, place - at];
  };
  return (at) => {
    if (at < start || at >= end) lookUp(at);
    return file[at + shift] as number;
  };
}
