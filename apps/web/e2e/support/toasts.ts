import type { Browser, Page } from '@playwright/test';

type Shown = { shownToasts?: string[][] };

function recordToasts() {
  const shown: string[][] = [];
  const seen = new WeakSet<Element>();
  const record = () => {
    for (const toast of document.querySelectorAll('li[data-swipe-direction]')) {
      if (seen.has(toast)) continue;
      seen.add(toast);
      shown.push([...toast.querySelectorAll('div')].map(({ textContent }) => textContent ?? ''));
    }
  };
  Object.assign(window, { shownToasts: shown } satisfies Shown);
  new MutationObserver(record).observe(document, { childList: true, subtree: true });
}

/**
 * Makes all pages record the texts of their toasts, because toasts disappear after 5 seconds and a busy machine may
 * stall longer.
 */
export function keepToasts(browser: Browser): void {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript(recordToasts);
    return context;
  };
}

/** Waits for a toast with these strings that was shown after the toast found by the previous call. */
export async function waitForToast(page: Page, ...texts: string[]): Promise<void> {
  const found = page.waitForFunction(
    (expected) => {
      const { shownToasts = [] } = window as Shown;
      const index = shownToasts.findIndex((parts) => expected.every((text) => parts.includes(text)));
      return index >= 0 && shownToasts.splice(0, index + 1).length > 0;
    },
    texts,
    { timeout: 60_000 },
  );
  await found.catch(async (error: Error) => {
    const shown = await page.evaluate(() => (window as Shown).shownToasts);
    throw new Error(`no toast ${JSON.stringify(texts)} (${error.message}); other toasts: ${JSON.stringify(shown)}`);
  });
}
