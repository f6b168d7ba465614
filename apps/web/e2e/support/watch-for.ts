import type { Page } from '@playwright/test';
import { waitUntil } from '@uprez/testing/wait-until';

/**
 * Notices a sentence in what `page` opens from now on, also one that stands there only for a moment before the page is
 * left. Returns a wait for it.
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
