import { parentPort, workerData } from 'node:worker_threads';
import startVips, { type default as Vips } from 'wasm-vips';
import type { Samples } from '../rows/row-stream.ts';
import { makeJxlEncoder } from './jxl-encoder.ts';
import type { FromJxlWorker, JxlWorkerData, OpenedJxl, ToJxlWorker } from './jxl-messages.ts';

/**
 * A thread with libvips and libjxl in WebAssembly, because sharp's build has no JPEG XL. It decodes the first frame of one file
 * at a time, or encodes one image. Its memory is freed when the thread ends.
 */
const quiet = () => {};
const vips = await startVips({ dynamicLibraries: ['vips-jxl.wasm'], print: quiet, printErr: quiet });
vips.concurrency((workerData as JxlWorkerData).threads);
vips.Cache.max(0);

const encoder = makeJxlEncoder(vips);
let image: Vips.Image | undefined;
let nextRow = 0;

function open(codestream: Uint8Array): OpenedJxl {
  close();
  image = vips.Image.jxlloadBuffer(codestream, { page: 0, n: 1, fail_on: 'error' });
  nextRow = 0;
  const icc = readBlob(image, 'icc-profile-data');
  const { width, height, bands, format } = image;
  return { type: 'opened', width, height, bands, format, ...(icc && { icc }) };
}

function readBlob(from: Vips.Image | undefined, name: string): Uint8Array | undefined {
  return from && from.getTypeof(name) !== 0 ? Uint8Array.from(from.getBlob(name)) : undefined;
}

/** Read rows without the channels beyond the first `channels`. */
function read(count: number, channels: number): Samples {
  if (!image) throw new Error('no image is open');
  const rows = image.crop(0, nextRow, image.width, count);
  const used = rows.bands > channels ? rows.extractBand(0, { n: channels }) : rows;
  nextRow += count;
  try {
    return used.writeToMemory() as Samples;
  } finally {
    if (used !== rows) used.delete();
    rows.delete();
  }
}

function close(): void {
  image?.delete();
  image = undefined;
  encoder.clear();
}

function answer(message: ToJxlWorker): FromJxlWorker | undefined {
  if (message.type === 'open') return open(message.codestream);
  if (message.type === 'read') return { type: 'rows', samples: read(message.count, message.channels) };
  if (message.type === 'encode') return { type: 'encoded', file: encoder.encode(message) };
  if (message.type === 'add') {
    encoder.add(message);
    return { type: 'added' };
  }
  close();
  return undefined;
}

const send = (message: FromJxlWorker) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToJxlWorker) => {
  try {
    const reply = answer(message);
    if (reply) send(reply);
  } catch {
    // The library's words stay here: they describe the file of a user.
    send({ type: 'failed' });
  }
});
send({ type: 'ready' });
