import { createRequire } from 'node:module';

type Color = { alpha: number; parseString: (text: string) => void };
type Colors = {
  Color: new () => Color;
  getContrast: (background: Color, text: Color) => number;
  flattenColors: (upper: Color, lower: Color) => Color;
};

// Color functions from axe, because they parse OKLCH. `axe-core` is a dependency of axe's Playwright binding, so it is
// resolved from there.
const { resolve } = createRequire(import.meta.url);
const axe = createRequire(resolve('@axe-core/playwright'))('axe-core') as { commons: { color: Colors } };
const { Color, flattenColors, getContrast } = axe.commons.color;

function parse(text: string): Color {
  const color = new Color();
  color.parseString(text);
  return color;
}

/** `layers`: CSS colors of the backgrounds, nearest first; the last is opaque. `opacity`: opacity of the text, 0-1. */
export type TextColors = { text: string; layers: readonly string[]; opacity?: number };

/** Returns the contrast ratio between text and its background, 1-21 (WCAG 2.2, relative luminance). */
export function contrastOf({ text, layers, opacity = 1 }: TextColors): number {
  const background = layers.map(parse).reduceRight((lower, upper) => flattenColors(upper, lower));
  const color = parse(text);
  color.alpha *= opacity;
  return getContrast(background, color.alpha < 1 ? flattenColors(color, background) : color);
}

/** Minimum contrast of normal and large text (WCAG 2.2, 1.4.3). */
export const leastContrast = { normal: 4.5, large: 3 };
