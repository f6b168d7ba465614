import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const color = String.raw`oklch\(([\d.]+)[^)]*\)`;
/** Lightness of a token in the light and in the dark theme. */
const lightness = (name: string) => {
  const found = new RegExp(`--${name}: light-dark\\(${color}, ${color}\\)`).exec(css);
  return { light: Number(found?.[1]), dark: Number(found?.[2]) };
};

it('shades the edges of scrolling content darker than every ground in both themes', () => {
  for (const ground of ['page', 'surface', 'sunken', 'stage'])
    for (const theme of ['light', 'dark'] as const)
      expect(lightness('shade')[theme], `${ground}, ${theme}`).toBeLessThan(lightness(ground)[theme]);
});
