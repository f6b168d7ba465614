import { describe, expect, it } from 'vitest';
import { findFileError } from './read-files.ts';

const check = (text: string) => findFileError(new Blob([Buffer.from(text, 'latin1')]));

describe('findFileError', () => {
  it('returns undefined for supported formats, whatever the name says', async () => {
    expect(await check('\x89PNG\r\n\x1a\n')).toBeUndefined();
    expect(await check('II*\0')).toBeUndefined();
  });
  it('names the type of a file that is not supported', async () => {
    expect(await check('%PDF-1.7')).toBe('This is a PDF file. Export the page as PNG or JPEG first.');
    expect(await check('letter')).toMatch(/^This file isn't a supported image\./);
  });
});
