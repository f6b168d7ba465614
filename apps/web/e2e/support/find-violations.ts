import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** An open tooltip belongs to its trigger, and to no landmark. */
const isTooltip = (line: string) => line.startsWith('region ') && line.includes('data-radix-popper-content-wrapper');

/**
 * Lists the axe rules that a page violates, each with the first element, after its animations have ended. Examines color
 * contrast, which takes two thirds of the time, with all other rules, alone, or not at all.
 */
export async function findViolations(
  page: Page,
  contrast: 'included' | 'only' | 'excluded' = 'included',
): Promise<string[]> {
  // The colors of an element are final when its finite animations have ended.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  const options = {
    included: {},
    only: { runOnly: { type: 'rule' as const, values: ['color-contrast'] } },
    excluded: { rules: { 'color-contrast': { enabled: false } } },
  };
  // There are no frames: the legacy mode opens no second page to combine their results.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], ...options[contrast] });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`).filter((line) => !isTooltip(line));
}
