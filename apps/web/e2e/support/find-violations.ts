import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** An open tooltip belongs to its trigger, and to no landmark. */
const isTooltip = (line: string) => line.startsWith('region ') && line.includes('data-radix-popper-content-wrapper');

/** Lists the rules of axe (all, or those of `rules`) that a page violates, each with the first element, after its animations. */
export async function findViolations(page: Page, rules: string[] = []): Promise<string[]> {
  // The colors of an element are final when its finite animations have ended.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  // There are no frames: the legacy mode opens no second page to combine their results.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`).filter((line) => !isTooltip(line));
}
