import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { findLowContrast } from './find-low-contrast.ts';

/** Tooltips may be outside of landmarks, because they belong to their triggers. */
const isTooltip = (line: string) => line.startsWith('region ') && line.includes('data-radix-popper-content-wrapper');

/** Waits until all finite animations have ended, because colors may change until then. */
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
 * Lists the axe rules that a page violates, each with its first element, and text with too little contrast. Doesn't use
 * axe's contrast rule, which would take two thirds of the time. `colors`: checks only the contrast.
 */
export async function findViolations(page: Page, examined: 'all' | 'colors' = 'all'): Promise<string[]> {
  // A page that is still loading has no text to check.
  await page.locator('h1').first().waitFor();
  await waitForAnimations(page);
  const lowContrast = await findLowContrast(page);
  if (examined === 'colors') return lowContrast;
  const axe = new AxeBuilder({ page })
    // The pages have no frames. In legacy mode, axe doesn't open a second page to combine results from frames.
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } });
  const { violations } = await axe.analyze();
  return [
    ...violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`).filter((line) => !isTooltip(line)),
    ...lowContrast,
  ];
}
