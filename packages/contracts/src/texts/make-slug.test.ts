import { expect, it } from 'vitest';
import { articleLimits } from '../policy/articles.ts';
import { makeSlug } from './make-slug.ts';

it.each([
  ['How upscaling works', 'how-upscaling-works'],
  ['  Naïve café: 4x & more!  ', 'naive-cafe-4x-more'],
  ["It's ß", 'its-ss'],
  ['A.B_C', 'a-b-c'],
  ['!?', ''],
])('turns %j into %j', (title, slug) => {
  expect(makeSlug(title)).toBe(slug);
});

it('is no longer than a slug may be, and ends with no hyphen', () => {
  const slug = makeSlug('ab '.repeat(articleLimits.slugLength));
  expect(slug.length).toBeLessThanOrEqual(articleLimits.slugLength);
  expect(slug).toMatch(/b$|a$/);
});
