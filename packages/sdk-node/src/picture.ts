import { createReadStream, ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Body, jsonBody } from './http/body.ts';
import type { Query } from './http/build-url.ts';

/**
 * Where a picture is: a path, bytes, a stream (Node's or the web's, read once), or an https address from which the service
 * fetches it.
 */
export type Picture = string | URL | Uint8Array | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** A picture ready to be sent, and its fields: in the address, or in the body where that is JSON. */
export type Sendable = { body: Body; query: Query };

/** The address of a picture that the service shall fetch itself. */
export function findAddress(picture: Picture): string | undefined {
  const text = picture instanceof URL ? picture.href : picture;
  return typeof text === 'string' && /^https?:/i.test(text) ? text : undefined;
}
const raw = 'application/octet-stream';

/** Throws what the file system does when a path cannot be read. */
export async function openPicture(picture: Picture, fields: Query): Promise<Sendable> {
  const image_url = findAddress(picture);
  if (image_url) return { body: jsonBody({ ...fields, image_url }), query: {} };
  if (typeof picture === 'string' || picture instanceof URL)
    return openFile(picture instanceof URL ? fileURLToPath(picture) : picture, fields);
  const file = findFile(picture);
  if (file !== undefined) return openFile(file, fields);
  if (picture instanceof Uint8Array)
    return { body: { type: raw, sizeBytes: picture.length, open: () => picture }, query: fields };
  if (picture instanceof Blob)
    return { body: { type: raw, open: () => picture }, query: { ...nameOf(picture), ...fields } };
  return { body: { type: raw, open: () => picture, isOnce: true }, query: fields };
}

async function openFile(path: string, fields: Query): Promise<Sendable> {
  const { size: sizeBytes } = await stat(path);
  const open = () => createReadStream(path);
  return { body: { type: raw, sizeBytes, open }, query: { filename: basename(path), ...fields } };
}

/** A file's stream that nobody has read from yet can be opened again, so that a call can be repeated. */
function findFile(picture: Picture): string | undefined {
  if (!(picture instanceof ReadStream) || typeof picture.path !== 'string' || picture.bytesRead > 0) return undefined;
  const { start, end = Number.POSITIVE_INFINITY } = picture as { start?: number; end?: number };
  if (start || end !== Number.POSITIVE_INFINITY) return undefined;
  // It may still be opening, and fail: that is told when its path is looked at.
  picture.on('error', () => undefined).destroy();
  return picture.path;
}

const nameOf = (picture: Blob) =>
  'name' in picture && typeof picture.name === 'string' ? { filename: picture.name } : {};
