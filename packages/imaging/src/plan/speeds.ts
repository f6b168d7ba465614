import type { AiEngine } from '@uprez/contracts/policy/engines';
import type { OutputFormat } from '@uprez/contracts/policy/image-formats';

/** Pixels per second on two cores of a server CPU (AVX-512): input pixels of tiles for networks, else of images. */
export const defaultSpeeds = {
  network: { 'photo-fast': 150_000, photo: 12_000, art: 17_000, 'art-fast': 120_000 } satisfies Record<
    AiEngine,
    number
  >,
  decode: 40_000_000,
  /** Matching the colors of a network's output to its input. */
  correct: 15_000_000,
  resample: 30_000_000,
  encode: {
    png: 20_000_000,
    jpeg: 12_000_000,
    webp: 11_000_000,
    avif: 2_000_000,
    tiff: 28_000_000,
    gif: 3_300_000,
  } satisfies Record<OutputFormat, number>,
  compare: 300_000_000,
  thumbnail: 300_000_000,
  /** Seconds of any run, to open files, write the thumbnail, and compare. */
  fixedSeconds: 0.1,
};
