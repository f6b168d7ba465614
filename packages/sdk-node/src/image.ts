import { randomUUID } from 'node:crypto';
import { createReadStream, ReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessOptions } from './generated/types.ts';
import { type Body, fieldText, jsonBody, type Query } from './http/build-url.ts';

/** A path, bytes, a Node.js or web stream (read once), or an HTTPS URL that the service fetches. */
export type Image = string | URL | Uint8Array | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** An image to send. Its fields are in the query string or, if the body is JSON, in the body. */
export type Sendable = { body: Body; query: Query };

/** Returns the image's URL if the service fetches the image, otherwise undefined. */
export function findUrl(image: Image): string | undefined {
  const text = image instanceof URL ? image.href : image;
  return typeof text === 'string' && /^https?:/i.test(text) ? text : undefined;
}
const raw = 'application/octet-stream';

/**
 * Opens an image. With the field `mask`, it is sent as a form, because a mask is too large for the query string. Throws
 * the error of the file system if a path can't be read.
 */
export async function openImage(
  image: Image,
  { mask, ...fields }: Query & Pick<ProcessOptions, 'mask'>,
): Promise<Sendable> {
  const png = mask === undefined ? undefined : mask instanceof Uint8Array ? mask : await readFile(mask);
  const image_url = findUrl(image);
  if (image_url) {
    const base64 = png && Buffer.from(png).toString('base64');
    return { body: jsonBody({ ...fields, image_url, mask: base64 }), query: {} };
  }
  const sendable = await openBytes(image, fields);
  return png ? { body: makeForm(sendable, png), query: {} } : sendable;
}

async function openBytes(image: Image, fields: Query): Promise<Sendable> {
  if (typeof image === 'string' || image instanceof URL)
    return openFile(image instanceof URL ? fileURLToPath(image) : image, fields);
  const file = findFile(image);
  if (file !== undefined) return openFile(file, fields);
  if (image instanceof Uint8Array) return { body: { type: raw, open: () => image }, query: fields };
  if (image instanceof Blob) return { body: { type: raw, open: () => image }, query: { ...nameOf(image), ...fields } };
  return { body: { type: raw, open: () => image, isOnce: true }, query: fields };
}

/** Makes a multipart form of a mask, an image, and its fields. Streams the image. */
function makeForm({ body: { open, sizeBytes, isOnce }, query }: Sendable, mask: Uint8Array): Body {
  const { filename = 'image', ...fields } = query;
  const boundary = randomUUID();
  const part = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${part(name)}${fieldText(value)}\r\n`],
  );
  const before = Buffer.concat([
    Buffer.from(texts.join('') + part('mask', '; filename="mask.png"')),
    mask,
    Buffer.from(`\r\n${part('image', `; filename="${escapeName(String(filename))}"`)}`),
  ]);
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* send() {
    yield before;
    const source = open();
    if (typeof source === 'string' || source instanceof Uint8Array) yield Buffer.from(source);
    else yield* source instanceof Blob ? source.stream() : source;
    yield after;
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    ...(sizeBytes !== undefined && { sizeBytes: before.length + sizeBytes + after.length }),
    open: send,
    ...(isOnce && { isOnce }),
  };
}

/** Escapes a file name as browsers do (https://html.spec.whatwg.org/#multipart-form-data). */
const escapeName = (name: string) => name.replace(/["\r\n]/g, encodeURIComponent);

async function openFile(path: string, fields: Query): Promise<Sendable> {
  const { size: sizeBytes } = await stat(path);
  const open = () => createReadStream(path);
  return { body: { type: raw, sizeBytes, open }, query: { filename: basename(path), ...fields } };
}

/** Returns the path of a file stream that hasn't been read yet. Opening the path for each attempt allows retries. */
function findFile(image: Image): string | undefined {
  if (!(image instanceof ReadStream) || typeof image.path !== 'string' || image.bytesRead > 0) return undefined;
  const { start, end = Number.POSITIVE_INFINITY } = image as { start?: number; end?: number };
  if (start || end !== Number.POSITIVE_INFINITY) return undefined;
  // Ignore errors, because opening the path again throws the same error.
  image.on('error', () => undefined).destroy();
  return image.path;
}

const nameOf = (image: Blob) => ('name' in image && typeof image.name === 'string' ? { filename: image.name } : {});
