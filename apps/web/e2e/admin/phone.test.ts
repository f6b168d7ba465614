import { expect } from '@playwright/test';
import { test } from '../support/fixtures.ts';
import { openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';

const parts = 'nav, section, table, form, input, dl, [role=tablist], [role=search], .rounded-card';

// In two tests, because one would take several minutes.
for (const half of [0, 1])
  test(`every page of the sidebar and the dashboard shows its content on a phone without scrolling, half ${half + 1}`, async ({
    browser,
  }) => {
    const admin = await openAdmin(browser);
    const { page } = admin;
    await page.setViewportSize({ width: 390, height: 844 });
    await settlePage(page, `${admin.product.url}/admin`);
    await page.getByRole('button', { name: 'Admin Panel' }).click();
    const links = page.getByRole('navigation', { name: 'Admin Panel' }).locator('a');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const pages = new Set([...hrefs, '/dashboard', '/dashboard?tab=activity', '/dashboard?tab=api-keys']);
    expect(pages.size).toBeGreaterThan(30);
    const late: Record<string, number> = {};
    for (const path of [...pages].filter((_, index) => index % 2 === half)) {
      await settlePage(page, admin.product.url + path);
      await expect(page.getByText('404 Page Not Found'), path).toHaveCount(0);
      const top = await page.evaluate((selector) => {
        const heading = document.querySelector('h1');
        // On pages of administrators, what follows the row of the title and the actions.
        const next = heading?.parentElement?.parentElement?.nextElementSibling;
        const isAfter = (part: Element) =>
          heading && heading.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING;
        const found = [...document.querySelectorAll(`main :is(${selector})`), ...(next ? [next] : [])];
        const shown = found.filter((part) => isAfter(part) && part.getClientRects().length > 0);
        return Math.round(Math.min(...shown.map((part) => part.getBoundingClientRect().top + window.scrollY)));
      }, parts);
      if (!(top < 200)) late[path] = top;
    }
    expect(late).toEqual({});
    await admin.close();
  });
