import { AppError } from '@uprez/contracts/errors/app-error';
import { outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { describe, expect, it } from 'vitest';
import { negotiate } from './request-preferences.ts';

const ask = (accept?: string) => {
  try {
    const wanted = negotiate({ headers: { ...(accept !== undefined && { accept }) } }, () => null);
    if (wanted.kind !== 'file') return wanted.kind;
    const { format, formats, mimeType } = wanted;
    return `${mimeType ?? format ?? 'image'} of ${formats.length === outputFormats.length ? 'all' : formats.join(', ')}`;
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
};
/** What Java's HttpURLConnection sends by default. */
const java = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';

describe('the Accept header', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['application/problem+json, application/json, */*;q=0.5', 'json'],
    ['text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8', 'json'],
    [java, 'json'],
    ['image/*, application/json', 'image of all'],
    ['application/json;q=0.5, image/*', 'image of all'],
    ['application/json, image/*;q=0.5', 'json'],
    ['image/*', 'image of all'],
    ['IMAGE/WEBP', 'webp of webp'],
    ['image/webp;profile="a,b;c"', 'webp of webp'],
    ['image/png;q=0.1, image/webp;q=0.9', 'webp of webp, png'],
    ['image/webp, */*', 'webp of all'],
    ['image/apng, image/png', 'png of png'],
    ['image/*, image/jpeg;q=0', 'png of png, webp, avif, jxl, tiff, gif'],
    ['application/octet-stream', 'application/octet-stream of all'],
    ['*/*, application/json;q=0', 'application/octet-stream of all'],
    ['text/event-stream', 'events'],
    ['application/json;q=0.9, text/event-stream', 'events'],
    ['text/*', 'not_acceptable'],
    ['text/html', 'not_acceptable'],
    ['image/bmp', 'not_acceptable'],
    ['image/*;q=0', 'not_acceptable'],
    ['*/*;q=0', 'not_acceptable'],
    ['nonsense', 'not_acceptable'],
    [',;,=,/', 'not_acceptable'],
  ])('%j asks for %s', (accept, expected) => {
    expect(ask(accept)).toBe(expected);
  });

  it.each([';a="', 'a/b,', ';q=1', 'a/b;x="1",', '"', ' '])('of 16 KB of %j is read in linear time', (part) => {
    const start = performance.now();
    ask(part.repeat(16_384 / part.length));
    expect(performance.now() - start).toBeLessThan(500);
  });
});
