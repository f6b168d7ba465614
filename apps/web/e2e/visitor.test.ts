import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { type Site, test } from './support/fixtures.ts';
import { watchFor } from './support/watch-for.ts';

const password = 'six feet under';

test.describe('a visitor', () => {
  let site: Site;
  let page: Page;
  test.beforeAll(({ site: started }) => {
    site = started;
  });
  test.beforeEach(async ({ browser }) => {
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: site.url })).newPage();
  });
  test.afterEach(() => page.context().close());

  const email = () => `${randomUUID()}@example.test`;
  const register = async (address = email()) => {
    const answer = await page.request.post('/api/register', { data: { email: address, password, firstName: 'Grace' } });
    expect(answer.status()).toBe(201);
    return address;
  };
  /** Errors are shown on the page or in a toast, not in both. */
  const showsOnce = async (text: string) => {
    await page.getByText(text, { exact: true }).first().waitFor();
    await expect(page.getByText(text, { exact: true })).toHaveCount(1);
    await expect(page.getByRole('region', { name: /^Notification/ }).getByRole('listitem')).toHaveCount(0);
  };
  const toast = (text: string) => page.getByRole('listitem').getByText(text, { exact: true }).first();
  const plan = (name: string) => page.getByRole('listitem', { name, exact: true });
  const path = () => new URL(page.url()).pathname + new URL(page.url()).search;
  const scrolledTo = (id: string) =>
    page.waitForFunction((target) => {
      const top = document.getElementById(target)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
      return top >= 0 && top < window.innerHeight / 2;
    }, id);

  test.describe('on the landing page', () => {
    test('compares a sample with the keyboard, and opens it in the processor', async () => {
      await page.goto('/');
      const region = page.getByRole('figure');
      await page.getByRole('radio', { name: 'Cat' }).focus();
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('radio', { name: 'Flower' })).toBeChecked();
      await region.getByText('128 x 96 -> 512 x 384', { exact: true }).waitFor();
      const divider = page.getByRole('slider', { name: /^Divider/ });
      await divider.focus();
      const before = Number(await divider.getAttribute('aria-valuenow'));
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction((old) => {
        const handle = document.querySelector('[aria-label^="Divider"]');
        return Number(handle?.getAttribute('aria-valuenow')) > old;
      }, before);
      await page.getByRole('button', { name: 'Try this sample' }).click();
      await page.getByText('flower.jpg').first().waitFor();
      await page.getByRole('slider', { name: 'Scale factor' }).waitFor();
      const main = page.getByRole('main');
      const offer =
        'A free account includes up to 4x with AI and 8x without AI. Upgrade to Pro for up to 8x with AI ($7 per month).';
      await main.getByText(offer).waitFor();
      await main.getByRole('link', { name: 'View plans' }).click();
      await page.waitForURL('**/pricing');
    });

    test('shows features, plans, and the API to visitors, and only features to users', async () => {
      await page.goto('/');
      for (const name of ['What you can count on', 'Plans', 'The API in one request'])
        await page.getByRole('heading', { name, level: 2, exact: true }).waitFor();
      await expect.poll(() => page.locator('#api').textContent()).toContain(`${site.url}/v1/process`);
      await expect(page.getByText('99.9', { exact: false })).toHaveCount(0);
      await register();
      await page.reload();
      await page.getByRole('heading', { name: 'What you can count on' }).waitFor();
      await page.getByText('Welcome, Grace').waitFor();
      await expect(page.getByRole('heading', { name: /^Plans$|^The API/ })).toHaveCount(0);
      await page.getByRole('contentinfo').getByRole('link', { name: 'API', exact: true }).click();
      await page.waitForURL('**/dashboard?tab=api-keys');
    });

    test('hides the number of images while it is small, and shows it when returned', async () => {
      await page.goto('/');
      await page.getByRole('heading', { name: 'What you can count on' }).waitFor();
      await page.waitForLoadState('networkidle');
      await expect(page.getByRole('region', { name: 'By the numbers' })).toHaveCount(0);
      const told = { days: 30, imagesMade: 12_000, medianProcessingTime: 1_400 };
      await page.route('**/api/public/stats', (route) => route.fulfill({ json: told }));
      await page.reload();
      const numbers = page.getByRole('region', { name: 'By the numbers' });
      await numbers.getByText('12,000', { exact: true }).waitFor();
      await expect(numbers.getByText('megapixels processed')).toHaveCount(0);
    });
  });

  for (const [name, id, heading] of [
    ['Features', 'features', 'What you can count on'],
    ['API', 'api', 'The API in one request'],
  ] as const)
    test(`the ${name} link opens the section from another page and focuses its heading`, async () => {
      await page.goto('/pricing');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await scrolledTo(id);
      expect(path()).toBe('/');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(heading);
    });

  test('opens every page from the menu on a small screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/auth');
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    await menu.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).press('Enter');
    await page.waitForURL('**/pricing');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const links = page.getByRole('navigation', { name: 'Main' });
    await expect(links.getByRole('link', { name: 'Pricing' })).toHaveCount(0);
    await menu.press('Enter');
    await links.getByRole('link', { name: 'Documentation' }).press('Enter');
    await page.waitForURL('**/documentation');
    await page.setViewportSize({ width: 768, height: 740 });
    await links.getByRole('link', { name: 'Documentation' }).waitFor();
  });

  for (const width of [360, 768, 1_440])
    test(`a toast covers no main action at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 740 });
      await page.goto('/');
      await page.getByRole('button', { name: 'Try this sample' }).click();
      await page.getByRole('slider', { name: 'Scale factor' }).waitFor();
      const apart = (title: string, button: string) =>
        expect(async () => {
          const [above, below] = await Promise.all([
            page.getByRole('listitem').filter({ hasText: title }).boundingBox({ timeout: 100 }),
            page.getByRole('button', { name: button, exact: true }).boundingBox({ timeout: 100 }),
          ]);
          if (!above || !below) throw new Error('hidden');
          const isBeside = above.x >= below.x + below.width || below.x >= above.x + above.width;
          const isAway = above.y >= below.y + below.height || below.y >= above.y + above.height;
          expect(isBeside || isAway).toBe(true);
          expect(above.y).toBeGreaterThan(0);
        }).toPass({ timeout: 4_000, intervals: [50] });
      await page.getByRole('link', { name: 'Get Started' }).first().click();
      await page.getByLabel('Email').fill(email());
      await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Create Account' }).click();
      await page.getByText('flower.jpg').or(page.getByText('cat.jpg')).first().waitFor();
      // A toast under the mouse stays.
      await toast('Account created').hover();
      await apart('Account created', 'Process image');
    });

  test.describe('on the pricing page', () => {
    test('shows all plans with the values of the plan table, and compares them', async () => {
      await page.goto('/pricing');
      for (const { name, price } of Object.values(currentPlans))
        await plan(name).getByText(`$${price}`, { exact: true }).waitFor();
      const row = page.getByRole('row', { name: /^Images per batch/ });
      const cells = Object.values(currentPlans).map(({ bulkFiles }) => String(bulkFiles));
      await expect(row.getByRole('cell')).toHaveText(cells, { useInnerText: true });
      await page.getByRole('heading', { name: 'What counts as an image' }).waitFor();
    });

    test('redirects to the sign-in page and back when a plan is chosen', async () => {
      await page.goto('/pricing');
      await page.getByRole('link', { name: `Choose ${currentPlans.pro.name}`, exact: true }).click();
      await page.waitForURL('**/auth?tab=sign-up&next=**');
      expect(new URL(page.url()).searchParams.get('next')).toBe('/pricing');
      await page.getByText('Sign in to continue.', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Sign Up' }).click();
      const address = email();
      await page.getByLabel('Email').fill(address);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
      await page.getByRole('button', { name: 'Create Account' }).click();
      await page.waitForURL('**/pricing');
      await toast('Account created').waitFor();
      await toast(`We sent a link to ${address}. Open it to confirm your email address.`).waitFor();
    });

    test("marks the user's plan, and shows an error for a plan that is not configured", async () => {
      await register();
      await page.goto('/pricing');
      const own = plan(currentPlans.free.name);
      await own.getByText('Your plan', { exact: true }).waitFor();
      await expect(own.getByRole('button', { name: 'Current plan' })).toBeDisabled();
      await expect(page.getByText('Your plan', { exact: true })).toHaveCount(2);
      await page.getByRole('button', { name: `Choose ${currentPlans.pro.name}`, exact: true }).click();
      await toast('Plan Not Available').waitFor();
      await toast('This plan is not yet configured. Please contact support.').waitFor();
      expect(path()).toBe('/pricing');
    });

    test('links the enterprise plan to the contact email address', async () => {
      const { contactEmail } = await (await page.request.get('/api/site')).json();
      await page.goto('/pricing');
      const link = plan(currentPlans.enterprise.name).getByRole('link', { name: 'Contact sales' });
      expect(await link.getAttribute('href')).toContain(
        `mailto:${contactEmail}?subject=${currentPlans.enterprise.name}`,
      );
    });

    test('shows an error when the plans fail to load, and retries', async () => {
      await page.route('**/api/plans', (route) => route.fulfill({ status: 500, body: 'broken' }));
      await page.goto('/pricing');
      const again = page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      await page.unroute('**/api/plans');
      await again.click();
      await plan(currentPlans.pro.name).waitFor();
    });
  });

  test.describe('on the sign-in page', () => {
    test('shows progress and errors of signing in and signing up', async () => {
      await page.goto('/auth');
      await page.getByRole('list', { name: 'Plans' }).getByText(currentPlans.api_pro.name, { exact: true }).waitFor();
      const held: (() => void)[] = [];
      await page.route(/\/api\/(login|register)$/, async (route) => {
        await new Promise<void>((resolve) => held.push(resolve));
        await route.continue();
      });
      const release = async () => {
        await expect.poll(() => held.length).toBe(1);
        held.pop()?.();
      };
      const address = email();
      await page.getByLabel('Email').fill(address);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign In' }).click();
      await page.getByRole('button', { name: 'Signing in...', exact: true }).waitFor();
      await release();
      await showsOnce('Login failed');
      await showsOnce('Incorrect email or password.');
      await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByLabel('Email')).toHaveValue(address);
      await page.getByRole('tab', { name: 'Sign Up' }).click();
      await page.getByLabel('Last Name').waitFor();
      await page.getByLabel('Email').fill(address);
      await page.getByLabel('Password', { exact: true }).fill('short');
      await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
      await page.getByRole('button', { name: 'Create Account' }).click();
      await page.getByRole('button', { name: 'Creating account...', exact: true }).waitFor();
      await release();
      await showsOnce('Registration failed');
    });

    test('closes the password reset form and clears the email address', async () => {
      await page.goto('/auth');
      await page.getByRole('button', { name: 'Forgot your password?' }).click();
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      await page.getByRole('button', { name: 'Forgot your password?' }).click();
      await page.getByLabel('Email').fill(email());
      let go = () => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      await page.route('**/api/forgot-password', (route) => held.then(() => route.continue()));
      await page.getByRole('button', { name: 'Send Reset Link' }).click();
      await page.getByRole('button', { name: 'Sending...', exact: true }).waitFor();
      go();
      await toast('Password Reset Sent').waitFor();
      await page.getByRole('button', { name: 'Forgot your password?' }).waitFor();
      await expect(page.getByLabel('Email')).toHaveValue('');
    });

    for (const [from, to] of [
      ['/auth', '/'],
      ['/auth?next=/pricing', '/pricing'],
      ['/auth?next=//evil.example', '/'],
    ] as const)
      test(`redirects signed-in users from ${from} to ${to}`, async () => {
        await register();
        await page.goto(from);
        await page.getByText('Welcome, Grace').waitFor();
        await page.waitForURL((url) => url.pathname === to);
      });
  });

  test('redirects from the dashboard to the sign-in page and back', async () => {
    const address = await register();
    await page.context().clearCookies();
    const waitForTitle = await watchFor(page, 'Unauthorized');
    const waitForText = await watchFor(page, 'You are logged out. Logging in again...');
    await page.goto('/dashboard?tab=activity');
    await waitForTitle();
    await waitForText();
    await page.waitForURL('**/auth?next=**');
    await page.getByLabel('Email').fill(address);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/dashboard?tab=activity');
  });

  test('signing out on the dashboard opens the home page without an error', async () => {
    await register();
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      const seen = () => document.body.textContent.includes('Unauthorized') && sessionStorage.setItem('seen', 'yes');
      new MutationObserver(seen).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    // The response is held until the dashboard has detected the ended session.
    await page.route('**/api/logout', async (route) => {
      const response = await route.fetch({ maxRetries: 2 });
      await page.getByRole('link', { name: 'Get Started' }).first().waitFor();
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByRole('link', { name: 'Get Started' }).first().waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBeNull();
  });

  test('a failed sign-out shows an error', async () => {
    await register();
    await page.goto('/pricing');
    await page.route('**/api/logout', (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await toast('Logout failed').waitFor();
    await page.getByText('Welcome, Grace').waitFor();
  });

  test('an unknown URL shows the 404 page with a link, and no hint for developers', async () => {
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: '404 Page Not Found', exact: true }).waitFor();
    await expect(page.getByText('Did you forget to add the page to the router?')).toHaveCount(0);
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.waitForURL((url) => url.pathname === '/');
  });
});
