import type { Page } from '@playwright/test';
import { waitUntil } from '@uprez/testing/wait-until';

/**
 * Returns what the site has stored in the browser: the number of files in IndexedDB, the number of filenames in storage
 * entries, and the names of the localStorage entries.
 */
export const readKept = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('uprez', 1);
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const keys = opening.result.transaction('images').objectStore('images').getAllKeys();
    await new Promise((resolve) => keys.addEventListener('success', resolve));
    opening.result.close();
    const texts = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
    return {
      files: keys.result.length,
      names: texts.match(/photo-\d+/g)?.length ?? 0,
      entries: Object.keys(localStorage),
    };
  });

/** Waits until the list is stored with the given number of files. */
export const waitUntilKept = (page: Page, files: number) =>
  waitUntil(async () => {
    const kept = await readKept(page);
    return kept.files === files && kept.names > 0;
  });
