import type { Page } from '@playwright/test';
import { waitUntil } from '@uprez/testing/wait-until';

/**
 * Watches for a string in all pages that `page` opens after this call, even if it is shown only briefly. All pages must
 * be on the same site. Returns a function that waits for the string.
 */
export async function watchFor(page: Page, sentence: string): Promise<() => Promise<unknown>> {
  // Matches are recorded in sessionStorage, because a callback could be lost while the page is being left.
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
