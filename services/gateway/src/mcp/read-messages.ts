import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { limits } from '@uprez/contracts/policy/limits';
import { orUnavailable } from '@uprez/storage/unavailable';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { imageField, readBody, requireJsonSize } from '../features/uploads/receive-json.ts';
import { cutField } from '../http/bodies/cut-field.ts';
import { openBase64Decoder } from '../http/bodies/decode-base64.ts';
import { expectBytes } from '../http/bodies/open-upload.ts';
import { watchUpload } from '../http/bodies/watch-upload.ts';
import { parseJson, readJson } from '../http/read-json.ts';
import { holderOf } from '../http/request-callers.ts';

/** Copies of an image while it is sent to the API. */
const copies = 2;
/** No base64 contains it. */
const invalid = '*';

/** `openImage`: as the tools use it. `noteSent`: an image has been sent to the API. */
export type Messages = {
  body: unknown;
  openImage: (text: string) => Promise<Buffer> | undefined;
  noteSent: () => void;
  close: () => Promise<void>;
};

/** Whether a request is so large that its images go to a temporary file. */
export const isLarge = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] === undefined || Number(headers['content-length']) > limits.bodyBytes;

/**
 * Reads the messages of a request. Images in large ones wait in a temporary file until the gateway has memory to send them
 * to the API. Throws as `readJson` does, and `server_busy`.
 */
export async function readMessages({ bodies }: Pick<Deps, 'bodies'>, request: FastifyRequest): Promise<Messages> {
  if (!isLarge(request))
    return {
      body: await readJson(request, limits.bodyBytes),
      openImage: () => undefined,
      noteSent: () => {},
      close: async () => {},
    };
  requireJsonSize(request);
  const holder = holderOf(request);
  const releases = [await bodies.spool.hold(holder, expectBytes(request, limits.jsonImageBytes))];
  const spool = await openSpool().catch((error: unknown) => {
    for (const release of releases) release();
    throw error;
  });
  const close = async () => {
    for (const release of releases) release();
    await spool.close();
  };
  try {
    const { body, images, sizeBytes } = await spoolImages({ bodies }, spool, request);
    const release = sizeBytes > 0 ? await bodies.memory.hold(holder, copies * sizeBytes) : () => {};
    releases.push(release);
    let left = images.size;
    const noteSent = () => {
      left -= 1;
      if (left <= 0) release();
    };
    const openImage = (text: string) => {
      const place = images.get(text);
      return place && readPlace(spool, place);
    };
    return { body, openImage, noteSent, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A temporary file without a name: it disappears with its handle, also when the process is killed. */
const openSpool = (): Promise<fs.FileHandle> =>
  orUnavailable('opening a spool file', async () => {
    const name = path.join(os.tmpdir(), `uprez-body-${crypto.randomUUID()}`);
    const spool = await fs.open(name, 'wx+', 0o600);
    await fs.unlink(name);
    return spool;
  });

type Place = { start: number; bytes: number };

/** The messages with a text in place of each image, and where the images are in the file. */
async function spoolImages(deps: Pick<Deps, 'bodies'>, spool: fs.FileHandle, request: FastifyRequest) {
  const images = new Map<string, Place>();
  let sizeBytes = 0;
  const write = async (bytes: Buffer) => {
    await orUnavailable('writing a spool file', () => spool.writeFile(bytes));
    sizeBytes += bytes.length;
  };
  const watch = watchUpload(request.raw);
  try {
    const text = cutField(readBody(deps, request, watch), { field: imageField, maxRestBytes: limits.bodyBytes });
    while (await text.findValue()) {
      const start = sizeBytes;
      const isValid = await decodeTo(write, text.readValue());
      const name = `image:${crypto.randomUUID()}`;
      if (isValid && sizeBytes > start) images.set(name, { start, bytes: sizeBytes - start });
      text.replaceValue(isValid ? (sizeBytes > start ? name : '') : invalid);
    }
    watch.signal.throwIfAborted();
    return { body: parseJson(text.rest()), images, sizeBytes };
  } finally {
    watch.stop();
  }
}

/** False for texts that aren't base64: the tools tell their callers. */
async function decodeTo(write: (bytes: Buffer) => Promise<void>, texts: AsyncIterable<string>): Promise<boolean> {
  const notBase64 = new Error('not base64');
  const decoder = openBase64Decoder(() => notBase64);
  let isValid = true;
  const decode = async (next: () => Buffer) => {
    try {
      if (isValid) await write(next());
    } catch (error) {
      if (error !== notBase64) throw error;
      isValid = false;
    }
  };
  for await (const text of texts) await decode(() => decoder.push(text));
  await decode(() => decoder.end());
  return isValid;
}

async function readPlace(spool: fs.FileHandle, { start, bytes }: Place): Promise<Buffer> {
  const image = Buffer.allocUnsafeSlow(bytes);
  await orUnavailable('reading a spool file', () => spool.read(image, 0, bytes, start));
  return image;
}
