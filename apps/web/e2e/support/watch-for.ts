import type { Page } from '@playwright/test';
import { waitUntil } from '@uprez/testing/wait-until';

/**
 * Watches for a text in the pages that `page` opens from now on, even if it is shown only briefly. Returns a function
 * that waits for it.
 */
export async function watchFor(page: Page, sentence: string): Promise<() => Promise<unknown>> {
  let isSeen = false;
  const name = `seen${sentence.replace(/\W/g, '')}`;
  await page.exposeFunction(name, () => {
    isSeen = true;
  });
  await page.addInitScript(
    ([name = '', sentence = '']) => {
      const look = () => {
        if (document.body?.textContent.includes(sentence)) (window as unknown as Record<string, () => void>)[name]?.();
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
    },
    [name, sentence],
  );
  return () => waitUntil(() => isSeen, { what: sentence });
}
