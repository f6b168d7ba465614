import type { Page } from '@playwright/test';
import { waitUntil } from '@uprez/testing/wait-until';

/**
 * Watches for a text in the pages of one site that `page` opens from now on, even if it is shown only briefly. Returns a function
 * that waits for it.
 */
export async function watchFor(page: Page, sentence: string): Promise<() => Promise<unknown>> {
  // Found texts are recorded in sessionStorage, because a callback from a page that is being left might get lost.
  const key = `seen ${sentence}`;
  await page.addInitScript(
    ([key = '', sentence = '']) => {
      const look = () => {
        if (document.body?.textContent.includes(sentence)) sessionStorage.setItem(key, '');
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
    },
    [key, sentence],
  );
  // Evaluation fails during a navigation.
  const isSeen = () => page.evaluate((key) => sessionStorage.getItem(key) !== null, key).catch(() => false);
  return () => waitUntil(isSeen, { what: sentence });
}
