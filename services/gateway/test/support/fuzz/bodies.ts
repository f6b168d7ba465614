import type { JsonSchema, Operation } from '@uprez/contracts/docs/openapi/open-api';
import fc from 'fast-check';
import { makeMultipart, type Part } from '../http/multipart.ts';
import { breakValue, brokenText } from './broken.ts';
import { objectOf, type Resolve, valueFor } from './values.ts';

export type Body = { headers: Record<string, string>; body?: Buffer };
type Needs = { images: Buffer[]; resolve: Resolve };

/** Generates bodies of a call for all of its content types. */
export function bodyOf({ requestBody }: Operation, needs: Needs, isValid: boolean): fc.Arbitrary<Body> {
  const content = Object.entries(requestBody?.content ?? {});
  const nothing = fc.constant<Body>({ headers: {} });
  const strange = fc.constantFrom<Body>(
    { headers: { 'Content-Type': 'text/plain' }, body: Buffer.from('scale=2') },
    { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: Buffer.from('scale=2') },
    { headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{"a":') },
    { headers: { 'Content-Type': 'application/json' }, body: Buffer.from('['.repeat(50_000)) },
    { headers: { 'Content-Type': 'application/json; charset=utf-16' }, body: Buffer.from('{}', 'utf16le') },
    { headers: { 'Content-Type': 'multipart/form-data' }, body: Buffer.from('--b0--') },
    { headers: { 'Content-Type': 'image/png; =' }, body: Buffer.from('x') },
    { headers: { 'Content-Type': ';' }, body: Buffer.from('x') },
    { headers: {}, body: Buffer.from('{}') },
  );
  if (content.length === 0) return isValid ? nothing : fc.oneof({ weight: 4, arbitrary: nothing }, strange);
  const made = fc.constantFrom(...content).chain(([type, { schema }]) => {
    if (type === 'application/json') return jsonOf(schema ?? {}, needs, isValid);
    if (type === 'multipart/form-data') return formOf(needs.resolve(schema ?? {}), needs, isValid);
    return imageOf(needs, isValid).map(
      (body): Body => ({ headers: { 'Content-Type': type.replace('*', 'png') }, body }),
    );
  });
  if (isValid) return requestBody?.required ? made : fc.oneof({ weight: 9, arbitrary: made }, nothing);
  return fc.oneof({ weight: 8, arbitrary: made }, strange, nothing);
}

function jsonOf(schema: JsonSchema, { images, resolve }: Needs, isValid: boolean): fc.Arbitrary<Body> {
  const image = fc.constantFrom(...images).map((bytes) => bytes.toString('base64'));
  const hasImage = Object.hasOwn(resolve(schema).properties ?? {}, 'image');
  const value = fc
    .tuple(valueFor(schema, resolve), image, fc.nat(9))
    .map(([one, image, chance]) => (hasImage && chance > 1 ? { ...withoutUrl(one), image } : one));
  const sent = isValid ? value : value.chain((one) => breakValue(one));
  return sent.map((one) => ({
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(one) ?? ''),
  }));
}

const withoutUrl = (value: unknown) =>
  Object.fromEntries(Object.entries(value as object).filter(([name]) => !/^image[-_]?url$/i.test(name)));

/** Generates images and invalid files: truncated, empty, random bytes, or another format. */
function imageOf({ images }: Needs, isValid: boolean): fc.Arbitrary<Buffer> {
  const whole = fc.constantFrom(...images);
  if (isValid) return whole;
  const cut = fc.tuple(whole, fc.nat(100)).map(([bytes, percent]) => bytes.subarray(0, (bytes.length * percent) / 100));
  const noisy = fc.tuple(whole, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(([bytes, at, noise]) => {
    const copy = Buffer.from(bytes);
    copy.set(noise.subarray(0, copy.length), at % Math.max(1, copy.length - noise.length));
    return copy;
  });
  const other = fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes));
  return fc.oneof(whole, cut, noisy, other);
}

function formOf(schema: JsonSchema, needs: Needs, isValid: boolean): fc.Arbitrary<Body> {
  const { properties = {} } = schema as { properties?: Record<string, JsonSchema> };
  const files = Object.keys(properties).filter((name) => name === 'image' || name === 'images');
  const { image: _, images: __, ...others } = properties;
  const fields = objectOf({ type: 'object', properties: others }, needs.resolve).map((value) =>
    Object.entries(withoutUrl(value)),
  );
  const name = isValid
    ? fc.constantFrom('a.png', 'Foto ä.jpeg')
    : brokenText.map((text) => text.replace(/["\r\n]/g, '').slice(0, 300));
  const count =
    files[0] === 'images' ? { minLength: 1, maxLength: 3 } : { minLength: isValid ? 1 : 0, maxLength: isValid ? 1 : 2 };
  const sent = fc.array(fc.tuple(name, imageOf(needs, isValid)), count);
  const extra = isValid
    ? fc.constant([])
    : fc.array(fc.tuple(fc.constantFrom(...Object.keys(others), 'x', 'file', '__proto__'), brokenText), {
        maxLength: 2,
      });
  const end = isValid
    ? fc.constant({})
    : fc.constantFrom<{ end?: string }>({}, {}, {}, {}, { end: '' }, { end: '--b0' });
  return fc.tuple(fields, sent, extra, end).map(([pairs, images, more, options]) => {
    const texts: Part[] = [...pairs, ...more].map(([field, value]) => ({
      name: field.replace(/["\r\n]/g, ''),
      data: String(value),
    }));
    const parts = images.map(([filename, data]): Part => ({ name: files[0] ?? 'image', filename, data }));
    const { body, contentType } = makeMultipart([...texts, ...parts], options);
    return { headers: { 'Content-Type': contentType }, body };
  });
}
