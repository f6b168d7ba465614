import { expect, it } from 'vitest';
import { autoCodes, describeAutoChoice } from './engines.ts';

it('explains every choice of auto in one sentence that names the engine', () => {
  const sentences = autoCodes.map((code) => describeAutoChoice(code, 'standard'));
  expect(new Set(sentences).size).toBe(autoCodes.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^The [^.]+, so Auto chose standard\.$/);
  expect(describeAutoChoice('drawing', 'art')).toBe('The image looks like a drawing, so Auto chose art.');
  expect(describeAutoChoice('drawing', 'photo')).toContain('no model for drawings is available');
});
