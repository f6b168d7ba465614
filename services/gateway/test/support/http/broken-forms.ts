import { makeMultipart, type Part } from './multipart.ts';

export type BrokenForm = [title: string, make: () => RequestInit, expected: { status: number; code: string }];

const MB = 1024 * 1024;
export const malformed = { status: 400, code: 'malformed_multipart' };
export const invalid = { status: 422, code: 'invalid_parameter' };
export const noImage = { status: 400, code: 'no_image' };

/** Returns a request with this body and `Content-Type`, if any. */
export const typed = (body: BodyInit, type?: string): RequestInit => ({
  body,
  ...(type && { headers: { 'content-type': type } }),
});

/** Returns a request with a multipart body that browsers cannot send. */
export function multipart(...made: Parameters<typeof makeMultipart>): RequestInit {
  const { body, contentType } = makeMultipart(...made);
  return typed(new Uint8Array(body), contentType);
}

export const field = (name: string, data = '2'): Part => ({ name, data });

/** Returns invalid forms for any upload of the public API. `image`: returns a valid part. */
export const brokenForms = (image: () => Part): BrokenForm[] => [
  ['without a boundary', () => typed('--b0\r\n', 'multipart/form-data'), malformed],
  ['without an end', () => multipart([image()], { end: '' }), malformed],
  ['without any part', () => typed('no form', 'multipart/form-data; boundary=b0'), malformed],
  [
    'with 10,001 fields',
    () => multipart([...Array.from({ length: 10_001 }, (_, at) => field(`f${at}`)), image()]),
    malformed,
  ],
  ['with a field of 10 MB', () => multipart([field('scale', '2'.repeat(10 * MB)), image()]), invalid],
  ['with a field name of 10 kB', () => multipart([field('s'.repeat(10_000)), image()]), invalid],
  ['without an image', () => multipart([field('scale')]), noImage],
  ['with the image in another field', () => multipart([{ ...image(), name: 'file' }]), invalid],
  ['with a repeated field', () => multipart([field('scale'), field('scale'), image()]), invalid],
];
