import { createReadStream, ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Body, jsonBody, type Query } from './http/build-url.ts';

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

/** Opens an image. Throws the error of the file system if a path can't be read. */
export async function openImage(image: Image, fields: Query): Promise<Sendable> {
  const image_url = findUrl(image);
  if (image_url) return { body: jsonBody({ ...fields, image_url }), query: {} };
  if (typeof image === 'string' || image instanceof URL)
    return openFile(image instanceof URL ? fileURLToPath(image) : image, fields);
  const file = findFile(image);
  if (file !== undefined) return openFile(file, fields);
  if (image instanceof Uint8Array) return { body: { type: raw, open: () => image }, query: fields };
  if (image instanceof Blob) return { body: { type: raw, open: () => image }, query: { ...nameOf(image), ...fields } };
  return { body: { type: raw, open: () => image, isOnce: true }, query: fields };
}

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
