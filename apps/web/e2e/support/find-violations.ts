import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { findLowContrast } from './find-low-contrast.ts';

/** Whether a violation concerns an open tooltip, which belongs to its trigger, not to a landmark. */
const isTooltip = (line: string) => line.startsWith('region ') && line.includes('data-radix-popper-content-wrapper');

/** Waits until all finite animations have ended, because the colors of elements aren't final before. */
const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    );
  });

/**
 * Lists the axe rules that a page violates, each with its first element, and the texts with too little contrast, after
 * the page's animations have ended. The contrast rule of axe would take two thirds of the time. `colors`: checks only
 * the contrast.
 */
export async function findViolations(page: Page, examined: 'all' | 'colors' = 'all'): Promise<string[]> {
  // A page that is still loading has no texts.
  await page.locator('h1').first().waitFor();
  await waitForAnimations(page);
  const lowContrast = await findLowContrast(page);
  if (examined === 'colors') return lowContrast;
  const axe = new AxeBuilder({ page })
    // There are no frames, so legacy mode is enough and opens no second page to combine their results.
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } });
  const { violations } = await axe.analyze();
  return [
    ...violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`).filter((line) => !isTooltip(line)),
    ...lowContrast,
  ];
}
