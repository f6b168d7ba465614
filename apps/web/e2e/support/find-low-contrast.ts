import type { Page } from '@playwright/test';
import { contrastOf, leastContrast, type TextColors } from './contrast.ts';

type Shown = TextColors & { size: 'normal' | 'large'; where: string };

/** Runs in the browser. */
function readColors(): Shown[] {
  const found = new Map<string, Shown>();
  const isTransparent = (color: string) => /^rgba\(.*, 0\)$|\/ 0\)$/.test(color);
  const isOpaque = (color: string) => !/^rgba\(|\/ [\d.]+\)$/.test(color);
  // A page without a background shows the theme's canvas color.
  const sample = document.documentElement.appendChild(document.createElement('i'));
  sample.style.backgroundColor = 'Canvas';
  const canvas = getComputedStyle(sample).backgroundColor;
  sample.remove();
  /** Returns the backgrounds behind an element, or undefined if one of them is an image. */
  const readBehind = (element: Element) => {
    const layers: string[] = [];
    let opacity = 1;
    let isDone = false;
    for (let at: Element | null = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      opacity *= Number(style.opacity);
      if (isDone) continue;
      if (style.backgroundImage !== 'none') return undefined;
      if (!isTransparent(style.backgroundColor)) layers.push(style.backgroundColor);
      isDone = isOpaque(style.backgroundColor);
    }
    return { layers: isDone ? layers : [...layers, canvas], opacity };
  };
  // The contrast of disabled controls and hidden elements doesn't matter.
  const without = ':disabled, [aria-disabled="true"], [aria-hidden="true"], [inert], label:has(:disabled), noscript';
  const add = (element: Element, text: string) => {
    const { width, height } = element.getBoundingClientRect();
    const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!isVisible || width <= 1 || height <= 1 || element.closest(without)) return;
    const behind = readBehind(element);
    if (!behind) return;
    const style = getComputedStyle(element);
    const fontSize = Number.parseFloat(style.fontSize);
    const size = fontSize >= 24 || (fontSize >= 18.66 && Number(style.fontWeight) >= 700) ? 'large' : 'normal';
    const color = element instanceof SVGElement ? style.fill : style.color;
    const shown = { ...behind, text: color, size } as const;
    const key = JSON.stringify(shown);
    if (!found.has(key)) found.set(key, { ...shown, where: `${element.localName} "${text.trim().slice(0, 40)}"` });
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    if (parentElement && textContent?.trim()) add(parentElement, textContent);
  }
  const drawn = '[type="checkbox"], [type="radio"], [type="range"], [type="file"], [type="color"], [type="hidden"]';
  for (const field of document.querySelectorAll(`input:not(${drawn}), textarea, select`))
    if ('value' in field && field.value) add(field, String(field.value));
  return [...found.values()];
}

/**
 * Lists visible text with too little contrast, once for each pair of colors. Compares the colors of elements and their
 * ancestors. This is faster than axe, which determines what is painted behind each piece of text.
 */
export async function findLowContrast(page: Page): Promise<string[]> {
  const shown = await page.evaluate(readColors);
  if (shown.length === 0) return ['no text has a background that is a color'];
  return shown
    .map((colors) => ({ ...colors, ratio: contrastOf(colors) }))
    .filter(({ ratio, size }) => ratio < leastContrast[size])
    .map(({ ratio, where, text, layers }) => `contrast ${ratio.toFixed(2)} ${where}: ${text} on ${layers[0]}`);
}
