import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrastOf, leastContrast } from '../e2e/support/contrast.ts';

const folder = new URL('.', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const color = String.raw`(oklch\([^)]*\))`;
/** The tokens of colors, in the light and in the dark theme. */
const tokens = new Map(
  [
    ...read('tokens.css').matchAll(new RegExp(`--([a-z-]+): (?:light-dark\\(${color}, ${color}\\)|${color});`, 'g')),
  ].map(([, name = '', light = '', dark = '', both]) => [name, { light: both ?? light, dark: both ?? dark }]),
);
const themes = ['light', 'dark'] as const;
const colorOf = (name: string, theme: (typeof themes)[number]) =>
  ({ white: '#fff', black: '#000' })[name] ?? tokens.get(name)?.[theme] ?? expect.fail(`There is no token --${name}.`);

it('shades the edges of scrolling content darker than every ground in both themes', () => {
  const lightness = (name: string, theme: (typeof themes)[number]) => Number(/[\d.]+/.exec(colorOf(name, theme))?.[0]);
  for (const ground of ['page', 'surface', 'sunken', 'stage'])
    for (const theme of themes)
      expect(lightness('shade', theme), `${ground}, ${theme}`).toBeLessThan(lightness(ground, theme));
});

/** Every text may be on every ground. */
const grounds = ['page', 'surface', 'sunken', 'raised', 'stage', 'line'];
const code = ['code-name', 'code-keyword', 'code-string', 'code-number'];
const texts = ['ink', 'muted', 'success', 'warning', 'danger', ...code];
/** Grounds with a text color of their own. */
const labels = { accent: 'on-accent', 'accent-strong': 'on-accent', ink: 'page', white: 'black' } as const;
/** Translucent grounds, and their texts. */
const tinted = { 'accent/20': ['ink'], veil: ['ink', 'muted'], 'page/90': ['ink', 'muted'] } as const;
/** The colors of icons, and of dots and bars, which have no text on them. */
const graphics = { text: ['accent'], bg: ['edge', 'done', 'active', 'failed', 'code-name', 'on-accent'] };

describe.each(themes)('in the %s theme', (theme) => {
  const all = grounds.flatMap((ground) => texts.map((text) => [text, ground] as const));

  it.each([...all, ...Object.entries(labels).map(([ground, text]) => [text, ground] as const)])(
    'texts in --%s on --%s are readable',
    (text, ground) => {
      const ratio = contrastOf({ text: colorOf(text, theme), layers: [colorOf(ground, theme)] });
      expect(ratio).toBeGreaterThanOrEqual(leastContrast.normal);
    },
  );

  it.each(Object.entries(tinted))('texts on --%s over every ground are readable', (tint, allowed) => {
    const [name = '', percent] = tint.split('/');
    const upper = colorOf(name, theme).replace(/\)$/, percent ? ` / 0.${percent})` : ')');
    for (const text of allowed)
      for (const ground of grounds) {
        const layers = [upper, colorOf(ground, theme)];
        const ratio = contrastOf({ text: colorOf(text, theme), layers });
        expect(ratio, `${text} on ${ground}`).toBeGreaterThanOrEqual(leastContrast.normal);
      }
  });

  it.each(grounds)('the focus ring is visible on --%s', (ground) => {
    const ratio = contrastOf({ text: colorOf('focus', theme), layers: [colorOf(ground, theme)] });
    expect(ratio).toBeGreaterThanOrEqual(leastContrast.large);
  });
});

it('examines the contrast of every color that classes give to texts and backgrounds', () => {
  const used = { text: new Set<string>(), bg: new Set<string>() };
  const names = [...tokens.keys(), 'white', 'black'].join('|');
  const classes = new RegExp(String.raw`(?<![\w-])(text|bg)-((?:${names})(?:/\d+)?)(?![\w-])`, 'g');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of files.filter((name) => /(?<!\.test)\.(tsx?|css|mdx)$/.test(name)))
    for (const [, kind, name = ''] of read(path).matchAll(classes)) used[kind as 'text' | 'bg'].add(name);
  const examined = {
    text: [...texts, ...Object.values(labels), ...graphics.text],
    bg: [...grounds, ...Object.keys(labels), ...Object.keys(tinted), ...graphics.bg],
  };
  expect([...used.text].filter((name) => !examined.text.includes(name))).toEqual([]);
  expect([...used.bg].filter((name) => !examined.bg.includes(name))).toEqual([]);
});
