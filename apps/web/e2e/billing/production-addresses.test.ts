import { expect, type Page } from '@playwright/test';
import { routes } from '@uprez/contracts/endpoints/routes';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { test } from '../support/fixtures.ts';
import { bankFrame, button, fillCard, region, signUpBuyer, tierOf } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

/**
 * Confirms at the bank. Its page is of another site here, so Chromium draws it in another process, and drops clicks until
 * that process gets the pointer.
 */
async function confirmAtBank(page: Page): Promise<void> {
  const complete = bankFrame(page).getByRole('button', { name: 'Complete' });
  const isHovered = async () => {
    await page.mouse.move(0, 0);
    await complete.hover();
    return complete.evaluate((element) => element.matches(':hover'));
  };
  await expect.poll(isHovered).toBe(true);
  await complete.click();
}

test('the forms work with the addresses and the content policy of production', async ({ page, context, shop }) => {
  const buyer = await signUpBuyer(shop, context);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  // Another gateway of the product, whose pages use Stripe's own addresses.
  const gateway = await shop.product.spawn('gateway', { PORT: String(port), PUBLIC_URL: url, STRIPE_API_URL: '' });
  await gateway.ready();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const stripeHosts = new Set<string>();
  await context.route(/^https:\/\/\w+\.stripe\.com\//, async (route) => {
    const { host, pathname, search } = new URL(route.request().url());
    stripeHosts.add(host);
    await route.fulfill({ response: await route.fetch({ url: shop.stripe.double.url + pathname + search }) });
  });
  await context.route(`${url}/api/**`, async (route) => {
    const request = route.request();
    if (new URL(request.url()).pathname === routes.billingConfig.path) return route.continue();
    const headers = { ...request.headers(), origin: shop.url };
    await route.fulfill({
      response: await route.fetch({ url: request.url().replace(url, shop.url), headers, timeout: 0 }),
    });
  });
  await page.route(`${url}${routes.events.path}`, (route) => route.abort());
  const open = async (path: string) => {
    const document = await page.goto(url + path);
    const policy = document?.headers()['content-security-policy'];
    expect(policy).toContain('https://js.stripe.com');
    expect(policy).not.toContain(shop.stripe.double.url);
  };
  await open('/subscribe?plan=pro');
  await fillCard(page, '4000002760003184');
  await button(page, 'Pay $7.00').click();
  await confirmAtBank(page);
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  expect(await tierOf(shop, buyer.id)).toBe('pro');
  await open('/account/billing');
  await region(page, 'Payment method').getByText('Visa ending in 3184').waitFor();
  await button(page, /^Update (card|payment method)$/).click();
  await fillCard(page, '4000002500003155');
  await button(page, 'Save payment method').click();
  await confirmAtBank(page);
  await waitForToast(page, 'Payment method saved');
  await region(page, 'Payment method').getByText('Visa ending in 3155').waitFor();
  expect([...stripeHosts].sort()).toEqual(['api.stripe.com', 'js.stripe.com']);
  expect(errors.filter((text) => /content security policy/i.test(text))).toEqual([]);
  await gateway.end('SIGTERM');
});
