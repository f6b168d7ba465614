import { expect, it } from 'vitest';
import { isChunkLoadError } from './is-chunk-load-error.ts';

it.each([
  new TypeError('Failed to fetch dynamically imported module: https://uprez.test/assets/pricing.js'),
  new TypeError('error loading dynamically imported module: https://uprez.test/assets/pricing.js'),
  new TypeError('Importing a module script failed.'),
  new Error('Unable to preload CSS for /assets/pricing.css'),
])('returns true for a failed dynamic import: %s', (error) => expect(isChunkLoadError(error)).toBe(true));

it.each([new TypeError('x is not a function'), new Error('Failed to fetch'), 'a word', undefined])(
  'returns false for other errors: %s',
  (error) => expect(isChunkLoadError(error)).toBe(false),
);
