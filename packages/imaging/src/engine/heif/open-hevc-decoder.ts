import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Planes } from './to-rgb.ts';

const require = createRequire(import.meta.url);
const wasmBinary = readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm'));
const instantiateLibrary = require('libheif-js/libheif-wasm/libheif.js') as (options: object) => Library;

/**
 * The functions of libde265's C interface that are used here. They are called directly, because libheif's own interface
 * disables the HEVC deblocking filters in this build.
 */
type Library = {
  HEAPU8: Uint8Array;
  _malloc: (bytes: number) => number;
  _free: (address: number) => void;
  _de265_new_decoder: () => number;
  _de265_free_decoder: (decoder: number) => number;
  _de265_set_parameter_bool: (decoder: number, parameter: number, value: 0 | 1) => void;
  /** The presentation time, a 64-bit number, is passed as two 32-bit numbers. */
  _de265_push_NAL: (...args: [decoder: number, at: number, bytes: number, _: 0, _: 0, _: 0]) => number;
  _de265_flush_data: (decoder: number) => number;
  _de265_decode: (decoder: number, hasMore: number) => number;
  _de265_get_next_picture: (decoder: number) => number;
  _de265_get_chroma_format: (frame: number) => number;
  _de265_get_image_width: (frame: number, channel: number) => number;
  _de265_get_image_height: (frame: number, channel: number) => number;
  _de265_get_bits_per_pixel: (frame: number, channel: number) => number;
  _de265_get_image_plane: (frame: number, channel: number, stride: number) => number;
  _de265_get_image_matrix_coefficients: (frame: number) => number;
  _de265_get_image_full_range_flag: (frame: number) => number;
};

export type HevcDecoder = ReturnType<typeof openHevcDecoder>;
const suppressFaultyImages = 6;
const grayFormat = 0;

/**
 * Opens a decoder for the frames of one file. The decoder has its own memory, which keeps the data of one file from
 * reaching the next. `decode` decodes the frame in `units` and passes its planes to `use`. The planes are valid only
 * during that call. Throws AppError `corrupt_image` for damaged frames.
 */
export function openHevcDecoder() {
  const quiet = () => {};
  const library = instantiateLibrary({ wasmBinary, print: quiet, printErr: quiet });
  return {
    decode: <T>(units: readonly Buffer[], use: (planes: Planes) => T): T => {
      const decoder = library._de265_new_decoder();
      const cell = library._malloc(4);
      try {
        const result = use(readPlanes(library, decodeUnits(library, { decoder, cell, units }), cell));
        library._free(cell);
        library._de265_free_decoder(decoder);
        return result;
      } catch (cause) {
        // The library may be unusable after an error, so `cell` and the decoder aren't freed here. They are freed with
        // the library's memory.
        throw cause instanceof AppError ? cause : new AppError('corrupt_image', { cause });
      }
    },
  };
}

type DecodeInput = { decoder: number; cell: number; units: readonly Buffer[] };
const okCode = 0;
/** Maximum number of decoding steps. A decoder with one frame needs one step per unit. */
const maxSteps = 10_000;

function decodeUnits(library: Library, { decoder, cell, units }: DecodeInput): number {
  library._de265_set_parameter_bool(decoder, suppressFaultyImages, 1);
  for (const unit of units) {
    const at = library._malloc(unit.length);
    library.HEAPU8.set(unit, at);
    const result = library._de265_push_NAL(decoder, at, unit.length, 0, 0, 0);
    library._free(at);
    if (result !== okCode) throw new AppError('corrupt_image');
  }
  library._de265_flush_data(decoder);
  for (let step = 0; step < maxSteps; step++) {
    const result = library._de265_decode(decoder, cell);
    const frame = library._de265_get_next_picture(decoder);
    if (frame !== 0) return frame;
    if (result !== okCode || readUint32(library, cell) === 0) break;
  }
  throw new AppError('corrupt_image');
}

/** Doesn't cache the buffer, because it's replaced when the memory grows. */
const readUint32 = ({ HEAPU8 }: Library, at: number) => new DataView(HEAPU8.buffer).getUint32(at, true);

function readPlanes(library: Library, frame: number, cell: number): Planes {
  const isGray = library._de265_get_chroma_format(frame) === grayFormat;
  const planes = (isGray ? [0] : [0, 1, 2]).map((channel) => {
    const bits = library._de265_get_bits_per_pixel(frame, channel);
    const at = library._de265_get_image_plane(frame, channel, cell);
    const sampleBytes = bits > 8 ? 2 : 1;
    const stride = readUint32(library, cell) / sampleBytes;
    const width = library._de265_get_image_width(frame, channel);
    const height = library._de265_get_image_height(frame, channel);
    const { buffer } = library.HEAPU8;
    const length = stride * height;
    const samples = bits > 8 ? new Uint16Array(buffer, at, length) : new Uint8Array(buffer, at, length);
    return { samples, stride, width, height, bits };
  });
  return {
    planes,
    matrix: library._de265_get_image_matrix_coefficients(frame),
    isFullRange: library._de265_get_image_full_range_flag(frame) !== 0,
  };
}
