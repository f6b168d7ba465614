import { parentPort, workerData } from 'node:worker_threads';
import startVips, { type default as Vips } from 'wasm-vips';
import type { Samples } from '../rows/row-stream.ts';
import type {
  AddJxlRows,
  EncodeJxlMessage,
  FromJxlWorker,
  JxlWorkerData,
  OpenedJxl,
  ToJxlWorker,
} from './jxl-messages.ts';

/**
 * A thread that runs libvips and libjxl in WebAssembly, because sharp's build doesn't support JPEG XL. It decodes the
 * first frame of one file at a time, or encodes one image. Its memory is freed when the thread ends.
 */
const noop = () => {};
const vips = await startVips({ dynamicLibraries: ['vips-jxl.wasm'], print: noop, printErr: noop });
vips.concurrency((workerData as JxlWorkerData).threads);
vips.Cache.max(0);

/**
 * Effort of the encoder. Compared with this value, effort 7 takes 1.5 times as long for the same file size. Effort 4
 * takes a third of the time, but files are 12% larger.
 */
const effort = 5;

const encoder = makeJxlEncoder(vips);
let openedImage: Vips.Image | undefined;
let nextRow = 0;

function openImage(codestream: Uint8Array): OpenedJxl {
  closeImage();
  openedImage = vips.Image.jxlloadBuffer(codestream, { page: 0, n: 1, fail_on: 'error' });
  nextRow = 0;
  const icc = readBlob(openedImage, 'icc-profile-data');
  const { width, height, bands, format } = openedImage;
  return { type: 'opened', width, height, bands, format, ...(icc && { icc }) };
}

function readBlob(from: Vips.Image | undefined, name: string): Uint8Array | undefined {
  return from && from.getTypeof(name) !== 0 ? Uint8Array.from(from.getBlob(name)) : undefined;
}

function readRows(count: number, channels: number): Samples {
  if (!openedImage) throw new Error('no image is open');
  const rows = openedImage.crop(0, nextRow, openedImage.width, count);
  const used = rows.bands > channels ? rows.extractBand(0, { n: channels }) : rows;
  nextRow += count;
  try {
    return used.writeToMemory() as Samples;
  } finally {
    if (used !== rows) used.delete();
    rows.delete();
  }
}

function closeImage(): void {
  openedImage?.delete();
  openedImage = undefined;
  encoder.clear();
}

function handleMessage(message: ToJxlWorker): FromJxlWorker | undefined {
  if (message.type === 'open') return openImage(message.codestream);
  if (message.type === 'read') return { type: 'rows', samples: readRows(message.count, message.channels) };
  if (message.type === 'encode') return { type: 'encoded', file: encoder.encode(message) };
  if (message.type === 'add') {
    encoder.add(message);
    return { type: 'added' };
  }
  closeImage();
  return undefined;
}

/**
 * Creates an encoder for one image at a time. Rows are added from top to bottom. Each call except the last must add the
 * same number of rows.
 */
function makeJxlEncoder(vips: typeof Vips) {
  let parts: Vips.Image[] = [];
  let height = 0;
  const clear = () => {
    for (const part of parts) part.delete();
    parts = [];
    height = 0;
  };
  const add = ({ samples, width, channels }: AddJxlRows) => {
    const rows = samples.length / channels / width;
    const format = samples instanceof Uint16Array ? 'ushort' : 'uchar';
    parts.push(vips.Image.newFromMemory(samples, width, rows, channels, vips.BandFormat[format]));
    height += rows;
  };
  const encode = ({ quality, icc }: EncodeJxlMessage): Uint8Array => {
    const joined = vips.Image.arrayjoin(parts, { across: 1 });
    const cropped = joined.crop(0, 0, joined.width, height);
    const image = cropped.copy({ interpretation: colorSpaceOf(cropped) });
    try {
      if (icc) image.setBlob('icc-profile-data', icc);
      return image.jxlsaveBuffer({ Q: quality, effort, keep: 'icc' });
    } finally {
      for (const used of [image, cropped, joined]) used.delete();
      clear();
    }
  };
  return { add, encode, clear };
}

function colorSpaceOf({ bands, format }: Vips.Image) {
  if (format === 'ushort') return bands < 3 ? 'grey16' : 'rgb16';
  return bands < 3 ? 'b-w' : 'srgb';
}

const postReply = (message: FromJxlWorker) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToJxlWorker) => {
  try {
    const reply = handleMessage(message);
    if (reply) postReply(reply);
  } catch {
    // The library's error message stays in this thread, because it describes a user's file.
    postReply({ type: 'failed' });
  }
});
postReply({ type: 'ready' });
