import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** A tooltip that is open belongs to what it tells of, and to no landmark. */
const isTooltip = (fault: string) => fault.startsWith('region ') && fault.includes('data-radix-popper-content-wrapper');

/** What axe finds on a page that has come to rest: the rule, and where it is broken first. */
export async function findFaults(page: Page): Promise<string[]> {
  // What is fading in has not its colors yet; what moves for ever is not waited for.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target}`).filter((fault) => !isTooltip(fault));
}
