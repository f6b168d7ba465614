import { randomUUID } from 'node:crypto';
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { type Site, test } from './support/fixtures.ts';

/** Drags files over the window, or drops them. */
const dragFiles = (page: Page, type: 'dragenter' | 'drop', files: { name: string; mimeType: string }[]) =>
  page.evaluate(
    ({ event, list }) => {
      const dataTransfer = new DataTransfer();
      for (const { name, mimeType } of list) dataTransfer.items.add(new File(['x'], name, { type: mimeType }));
      const target = document.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? document.body;
      target.dispatchEvent(new DragEvent(event, { bubbles: true, cancelable: true, dataTransfer }));
    },
    { event: type, list: files },
  );

test.describe('the parts of every page', () => {
  let site: Site;
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
  let context: BrowserContext;
  let page: Page;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    const visit = await browser.newContext();
    await visit.request.post(`${site.url}/api/register`, {
      data: { email: `${randomUUID()}@example.test`, password: 'six feet under', firstName: 'Grace' },
    });
    signedIn = await visit.storageState();
    await visit.close();
  });
  test.beforeEach(async ({ browser }) => {
    context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    page = await context.newPage();
  });
  test.afterEach(() => context.close());

  const openAs = async (path: string, user = false) => {
    if (user) await context.addCookies(signedIn.cookies);
    await page.goto(site.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  /** Signs in with a passkey, which fails with a toast. */
  const failWithPasskey = async () => {
    await page.route('**/api/passkeys/sign-in/**', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/passkeys/sign-in/'));
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await failed;
  };
  /** Stops the page's clock, which then advances only with `page.clock.runFor`. */
  const stopClock = () => page.clock.pauseAt(Date.now() + 60_000);

  test('a tooltip opens after 700 ms, and a toast closes after 5,000 ms or a swipe, and receives the focus with F8', async () => {
    await page.clock.install();
    await openAs('/auth');
    await stopClock();
    await test.step('a tooltip opens after 700 ms', async () => {
      await page.getByRole('button', { name: 'Show password' }).hover();
      await page.clock.runFor(650);
      await expect(page.getByRole('tooltip')).toHaveCount(0);
      await page.clock.runFor(100);
      await page.getByRole('tooltip', { name: 'Show password' }).waitFor();
    });
    const toast = page.getByRole('region', { name: /^Notification/ }).getByRole('listitem');
    const isShownSoon = async () => {
      await page.clock.runFor(20);
      return toast.isVisible();
    };
    await test.step('a toast is shown for 5,000 ms with a width of up to 420 px, and receives the focus with F8', async () => {
      await failWithPasskey();
      await expect.poll(isShownSoon).toBe(true);
      expect((await toast.boundingBox())?.width).toBeLessThanOrEqual(420);
      await page.clock.runFor(4_800);
      await expect(toast).toBeVisible();
      await page.clock.runFor(400);
      await toast.waitFor({ state: 'hidden' });
      await failWithPasskey();
      await expect.poll(isShownSoon).toBe(true);
      await page.keyboard.press('F8');
      expect(await page.evaluate(() => document.activeElement?.closest('[role="region"]') !== null)).toBe(true);
      // The timer is paused while the toast has the focus.
      await page.clock.runFor(20_000);
      await expect(toast).toBeVisible();
    });
    await page.clock.resume();
    await test.step('only one toast is shown, and a swipe to the right of 50 px closes it', async () => {
      await failWithPasskey();
      await failWithPasskey();
      await page.getByText('Login failed').first().waitFor();
      await expect(toast).toHaveCount(1);
      const box = await toast.boundingBox();
      if (!box) throw new Error('The toast has no box.');
      const swipe = async (distance: number) => {
        await page.mouse.move(box.x + 100, box.y + 20);
        await page.mouse.down();
        await page.mouse.move(box.x + 100 + distance / 2, box.y + 20);
        await page.mouse.move(box.x + 100 + distance, box.y + 20);
        await page.mouse.up();
      };
      await swipe(40);
      await expect(toast).toBeVisible();
      await swipe(60);
      await toast.waitFor({ state: 'hidden' });
    });
  });

  test('a banner is shown while offline, and a page that fails to load keeps the navigation bar, and loads when online again', async () => {
    await openAs('/');
    // A chunk that is still on its way when the connection is lost may be pending for long, and so is each page that needs it.
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const banner = page.getByRole('paragraph').filter({ hasText: "You're offline." }).first();
    await banner.waitFor();
    await expect.poll(async () => (await banner.boundingBox())?.y ?? -1).toBeGreaterThan(50);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Pricing' }).click();
    await page.getByRole('heading', { level: 1, name: "This page couldn't load" }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Uprez home' }).waitFor();
    await page.getByText(/^You're offline\. This page/).waitFor();
    await context.setOffline(false);
    await page.getByRole('list', { name: 'Plans' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/pricing');
    await expect.poll(() => page.locator('header + p').count()).toBe(0);
  });

  test('a new page starts at its top, and Back restores the scroll position', async () => {
    await openAs('/');
    await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
    await page.evaluate(() => window.scrollTo(0, 900));
    await page.waitForFunction(() => window.scrollY === 900);
    await openAs('/pricing');
    await page.getByRole('list', { name: 'Plans' }).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await page.waitForFunction(() => window.scrollY === 900);
  });

  test('a sample and a pasted image are scrolled into view and focused on all screens', async () => {
    await openAs('/');
    const isAtHand = () =>
      page.waitForFunction(() => {
        const place = document.querySelector('section[aria-label="Image processor"]');
        const top = place?.getBoundingClientRect().top ?? -1;
        return (
          top > 50 &&
          top < window.innerHeight / 2 &&
          document.activeElement?.contains(place) &&
          document.activeElement !== document.body
        );
      });
    for (const width of [360, 768, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.getByRole('button', { name: 'Try this sample' }).click();
      await page.getByRole('img', { name: /^Preview of/ }).waitFor();
      await isAtHand();
      const link = page.getByRole('contentinfo').getByRole('link').first();
      await link.focus();
      await link.evaluate(async (element) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
        const clipboardData = new DataTransfer();
        if (blob) clipboardData.items.add(new File([blob], 'image.png', { type: 'image/png' }));
        element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
      });
      await page.getByText('64 x 48').first().waitFor();
      await isAtHand();
      await page.getByRole('button', { name: 'Remove image' }).click();
    }
  });

  test('the focus moves to the next row after a removal, and to the empty list after Clear All', async () => {
    await openAs('/dashboard', true);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const names = ['a.png', 'b.png', 'c.png'];
    const input = page.getByLabel('Choose images');
    await input.setInputFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) })));
    await button('Remove b.png').press('Enter');
    await button('Remove b.png').waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await focused()).toBe('Remove c.png');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Remove a.png');
    await button('Clear All').press('Enter');
    await page.getByText('or drop files and folders here').waitFor();
    await expect.poll(focused).toBe('Bulk image processor');
  });

  test('a toast does not cover the button that caused it', async () => {
    await context.addCookies(signedIn.cookies);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await openAs('/');
    await page.getByLabel('Image file').setInputFiles({
      name: 'text.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('no image'),
    });
    const process = page.getByRole('button', { name: 'Process image', exact: true });
    await process.click();
    const toast = page.locator('li[data-state=open]').filter({ hasText: 'Processing Failed' });
    await toast.waitFor();
    await expect
      .poll(async () => {
        const [above, below] = [await toast.boundingBox(), await process.boundingBox()];
        return above && below && above.y + above.height <= below.y;
      })
      .toBe(true);
  });

  test('stacked elements are left-aligned on small screens', async () => {
    await openAs('/');
    const leftOf = (locator: Locator) =>
      locator.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return Math.round(range.getBoundingClientRect().left);
      });
    const plans = page.getByRole('list', { name: 'Plans' });
    const footer = page.getByRole('contentinfo');
    const [promise, hint] = [footer.getByRole('paragraph'), footer.getByRole('button', { name: /^Keyboard/ })];
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 800 });
      const card = await plans.getByRole('listitem', { name: 'Free' }).boundingBox();
      const edge = await leftOf(page.getByRole('heading', { name: 'Plans', exact: true }));
      expect(card?.x).toBe(edge);
      expect(await leftOf(footer.getByRole('link').first())).toBe(await leftOf(promise));
      const isBelow = ((await hint.boundingBox())?.y ?? 0) > ((await promise.boundingBox())?.y ?? 0) + 20;
      if (isBelow) expect(await leftOf(hint)).toBe(await leftOf(promise));
      expect(isBelow).toBe(width === 360);
    }
  });

  test('dragging files shows whether they can be dropped', async () => {
    /** The page is prerendered, so it may not listen yet. Files that enter a child of the page enter it again. */
    const dragUntil = async (file: { name: string; mimeType: string }, text: string | RegExp) => {
      await openAs('/');
      await expect(async () => {
        await dragFiles(page, 'dragenter', [file]);
        await dragFiles(page, 'dragenter', [file]);
        await expect(page.getByText(text)).toBeVisible({ timeout: 1_000 });
      }).toPass();
    };
    await dragUntil({ name: 'a.png', mimeType: 'image/png' }, 'Drop the image to open it');
    await dragUntil({ name: 'a.txt', mimeType: 'text/plain' }, /^This file type isn't supported\. Use .*\.$/);
  });
});
