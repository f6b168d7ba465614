import { describe, expect, it } from 'vitest';
import { isSignedBy, requireAllowedHost, signImagePath } from './image-url-settings.ts';
import { encodeSource, parseImageUrl, parseKeyId } from './parse-image-url.ts';

const source = encodeSource('https://images.example/photo.png');
const key = 'k:0123456789abcdef';
const parse = (options: string, { accept = '', of = source } = {}) =>
  parseImageUrl({ options: `${key},${options}`, source: of }, accept);
const codeOf = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    return (error as { code?: string; param?: string }).code;
  }
};

describe('parseImageUrl', () => {
  it('reads the options of the API by their names and aliases, with its defaults', () => {
    expect(parse('w:300,h:200,fit:cover,quality:80,bg:fff,exp:1800000000')).toMatchObject({
      expiresS: 1_800_000_000,
      varies: true,
      recipe: { width: 300, height: 200, fit: 'cover', quality: 80, background: '#ffffff', format: 'auto' },
    });
    expect(parse('format:png')).toMatchObject({ varies: false, recipe: { scaleFactor: 2, quality: 85 } });
  });

  it('has one hash for the same result, and another for any other', () => {
    const { hash } = parse('width:300,quality:80,format:jpeg');
    const same = [
      parse('quality:80,w:300,format:jpg'),
      parse('width:300,quality:80,format:jpeg,exp:1800000000'),
      parse('width:300,quality:80,format:jpeg', { accept: 'image/webp' }),
      parse('width:300,quality:80,format:jpeg', { of: encodeSource('https://IMAGES.example/photo.png#part') }),
    ];
    expect(new Set(same.map((one) => one.hash))).toEqual(new Set([hash]));
    const others = [
      parse('width:301,quality:80,format:jpeg'),
      parse('width:300,quality:80'),
      parse('width:300,quality:80', { accept: 'image/webp' }),
      parse('width:300,quality:80,format:jpeg', { of: encodeSource('https://images.example/photo.png?v=2') }),
    ];
    expect(new Set([hash, ...others.map((one) => one.hash)]).size).toBe(5);
  });

  it.each([
    ['image/avif,image/webp,image/apng,*/*;q=0.8', 'webp'],
    ['IMAGE/WEBP ; q=0.5', 'webp'],
    ['image/webp;q=0', 'auto'],
    ['image/webp;q=0.000,image/*', 'auto'],
    ['*/*', 'auto'],
    ['', 'auto'],
  ])('chooses a format for Accept: %s', (accept, format) => {
    expect(parse('width:3', { accept }).recipe.format).toBe(format);
  });

  it.each([
    ['', 'invalid_parameter'],
    ['width', 'invalid_parameter'],
    ['width:1:2', 'invalid_parameter'],
    [':3', 'invalid_parameter'],
    ['width:3,width:3', 'invalid_parameter'],
    ['width:3,w:4', 'conflicting_params'],
    ['exp:1,exp:2', 'invalid_parameter'],
    ['exp:-1', 'invalid_parameter'],
    ['retention:1', 'invalid_parameter'],
    ['webhook_url:x', 'invalid_parameter'],
    [`width:${'3'.repeat(300)}`, 'invalid_parameter'],
  ])('rejects the options "%s"', (options, code) => {
    expect(codeOf(() => parse(options))).toBe(code);
  });

  it.each([
    [`${source}=`, 'invalid_parameter'],
    ['!', 'invalid_parameter'],
    [encodeSource('photo.png'), 'url_not_allowed'],
    [encodeSource('https://10.0.0.1/a.png'), 'url_not_allowed'],
    [encodeSource('https://a:b@images.example/'), 'url_not_allowed'],
  ])('rejects the source %s', (of, code) => {
    expect(codeOf(() => parse('width:3', { of }))).toBe(code);
  });

  it('finds the key ID only as an option of its own', () => {
    expect(parseKeyId(`width:3,${key}`)).toBe('0123456789abcdef');
    for (const options of ['width:3', 'k:0123', `x${key}`, `${key}0`, 'k:0123456789ABCDEF'])
      expect(parseKeyId(options)).toBeUndefined();
  });
});

describe('isSignedBy', () => {
  const path = { options: key, source };
  const signature = signImagePath('a secret', path);

  it('accepts the signature of any secret, for exactly this path', () => {
    expect(isSignedBy(['another', 'a secret'], { ...path, signature })).toBe(true);
    const forged = [
      { ...path, signature: signature.slice(1) },
      { ...path, signature: `${signature}=` },
      { ...path, signature: '' },
      { ...path, signature, options: `${key},width:3` },
      { ...path, signature, source: source.slice(0, -1) },
      { signature, options: `${key}/${source}`, source: '' },
    ];
    for (const one of forged) expect(isSignedBy(['another', 'a secret'], one)).toBe(false);
    expect(isSignedBy(['another'], { ...path, signature })).toBe(false);
    expect(isSignedBy([], { ...path, signature })).toBe(false);
  });
});

it.each([
  ['images.example', 'https://images.example/', true],
  ['images.example', 'https://a.images.example/', false],
  ['images.example', 'https://notimages.example/', false],
  ['*.images.example', 'https://a.b.images.example/', true],
  ['*.images.example', 'https://images.example/', false],
  ['*.images.example', 'https://notimages.example/', false],
])('with the host %s, allows %s: %s', (host, url, isAllowed) => {
  expect(codeOf(() => requireAllowedHost([host], new URL(url)))).toBe(isAllowed ? undefined : 'source_not_allowed');
});
