import { describe, expect, it } from 'vitest';
import { findMediaId, imageSourcesOf, mediaPath } from './media.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('findMediaId', () => {
  it('returns the ID of a reference in lowercase', () => {
    expect(findMediaId(mediaPath(id.toUpperCase()))).toBe(id);
  });

  it.each([
    `${mediaPath(id)}/1/320.webp`,
    `${mediaPath(id)}?x`,
    `//evil.example${mediaPath(id)}`,
    `https://evil.example${mediaPath(id)}`,
    '/media/1',
    '',
  ])('returns nothing for %j', (url) => {
    expect(findMediaId(url)).toBeUndefined();
  });
});

describe('imageSourcesOf', () => {
  const widthsOf = (width: number) =>
    imageSourcesOf({ id, version: 2, width, height: 100 })
      .srcset.split(', ')
      .map((source) => source.split(' ')[1]);

  it('never exceeds the width of the original', () => {
    expect(widthsOf(200)).toEqual(['200w']);
    expect(widthsOf(320)).toEqual(['320w']);
    expect(widthsOf(1000)).toEqual(['320w', '640w', '1000w']);
    expect(widthsOf(5000)).toEqual(['320w', '640w', '1280w', '1920w']);
  });

  it('returns the size of the largest version, and its URL with the version of the file', () => {
    const { src, width, height } = imageSourcesOf({ id, version: 2, width: 3840, height: 2160 });
    expect({ src, width, height }).toEqual({ src: `/media/${id}/2/1920.webp`, width: 1920, height: 1080 });
  });

  it('keeps at least one pixel of height', () => {
    expect(imageSourcesOf({ id, version: 1, width: 30_000, height: 2 }).height).toBe(1);
  });
});
