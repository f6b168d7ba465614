import { AppError } from '@uprez/contracts/errors/app-error';
import { findBox } from '../heif/describe-heif.ts';
import { countStep, type TakeStep } from '../heif/read-boxes.ts';
import type { ByteAt } from './read-bits.ts';

/** A range of a file that has to be loaded to go on. */
export class MissingBytes extends Error {
  readonly from: number;
  readonly until: number;

  constructor(from: number, until: number) {
    super('bytes of a file are missing');
    this.from = from;
    this.until = until;
  }
}

/** The codestream ends before its last frame. */
export class CutCodestream extends AppError {
  constructor() {
    super('corrupt_image');
  }
}

/** Bytes of the index before a part of a codestream. */
export const indexBytes = 4;
const bareStart = 0xff0a;

/** Whether a file is a codestream without a container. */
export const isBareCodestream = (file: Buffer): boolean => file.length >= 2 && file.readUInt16BE(0) === bareStart;

type Access = { take: TakeStep; isLoaded?: (from: number, until: number) => boolean };
/** Bytes of the codestream, from `start` up to `end`, and where the first one is in the file. */
type Part = { start: number; end: number; at: number };

const boxHeaderBytes = 16;
/** Bytes that are looked up at once. */
const blockBytes = 4_096;

/**
 * Open the codestream of a file, which lies in one box or in several (ISO/IEC 18181-2). Throws `CutCodestream`, which is an
 * AppError `corrupt_image`, beyond its end, `MissingBytes` where the file isn't loaded, and AppError `corrupt_image` if there are too
 * many boxes.
 */
export function openCodestream(file: Buffer, { take, isLoaded = () => true }: Access): ByteAt {
  const parts: Part[] = [];
  let nextBox = 0;
  const load = (from: number, until: number) => {
    const end = Math.min(until, file.length);
    if (!isLoaded(from, end)) throw new MissingBytes(from, end);
  };
  /** Read the next box, which may hold a part. */
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
  // The bytes that were looked up last: their range, and how far they are from their place in the file.
  let [start, end, shift] = [0, 0, 0];
  const lookUp = (at: number) => {
    while (at >= (parts.at(-1)?.end ?? 0)) addPart();
    // Reading goes forwards.
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
