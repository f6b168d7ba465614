import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { findMailLink, waitForMail } from '@uprez/testing/mail';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import type { Shop } from '../support/shop.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const confirmPage = async ({ url, mailUrl }: Shop, email: string) => {
  const { pathname, search } = findMailLink(await waitForMail(mailUrl, email, 'Confirm your email address'));
  return url + pathname + search;
};

/** Signs up on the page that is open. */
async function signUp(page: Page, email: string) {
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('six feet under');
  await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
  await button(page, 'Create Account').click();
}

test('a visitor chooses a plan, signs up, confirms the email address, and gets the order of that plan', async ({
  page,
  context,
  shop,
}) => {
  test.slow();
  const email = `${randomUUID()}@example.test`;
  const order = '/subscribe?plan=api_basic';
  await page.goto(`${shop.url}/pricing`);
  await page.getByRole('link', { name: `Choose ${currentPlans.api_basic.name}`, exact: true }).click();
  await page.waitForURL(`${shop.url}/auth?tab=sign-up&next=${encodeURIComponent(order)}`);
  const { name } = currentPlans.api_basic;
  await page.getByText(`Sign up or sign in to subscribe to ${name}. You'll review the order before you pay.`).waitFor();
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveTitle(/^Sign Up - /);
  await signUp(page, email);
  await page.waitForURL(shop.url + order);
  await page
    .getByText(`Confirm ${email} to subscribe to ${name}. Open the link in our email, or send a new one.`)
    .waitFor();
  await checkScreens(page, shop.url + order, () => button(page, 'Send a new link').waitFor());

  const mailTab = await context.newPage();
  await mailTab.goto(await confirmPage(shop, email));
  await mailTab.getByText(`Then you can subscribe to ${name}.`).waitFor();
  await button(mailTab, 'Confirm email address').click();
  await mailTab.getByRole('link', { name: `Continue to ${name}`, exact: true }).click();
  await mailTab.waitForURL(shop.url + order);
  await mailTab.getByText(`${currentPlans.api_basic.name} plan`, { exact: true }).waitFor();
  await mailTab.getByText('Pay with cards or PayPal.', { exact: true }).waitFor();
  // The first tab continues too.
  await page.bringToFront();
  await page.getByText(`${currentPlans.api_basic.name} plan`, { exact: true }).waitFor();
});

test('the confirmation link leads to the order in another browser, after the sign-in', async ({
  page,
  browser,
  shop,
}) => {
  const email = `${randomUUID()}@example.test`;
  await page.goto(`${shop.url}/auth?next=${encodeURIComponent('/subscribe?plan=pro')}`);
  await signUp(page, email);
  await page.waitForURL(`${shop.url}/subscribe?plan=pro`);
  const other = await (await browser.newContext()).newPage();
  await other.goto(await confirmPage(shop, email));
  await button(other, 'Confirm email address').click();
  await other.getByRole('link', { name: `Continue to ${currentPlans.pro.name}`, exact: true }).click();
  await other.waitForURL('**/auth?next=**');
  await other.getByText(`Sign up or sign in to subscribe to ${currentPlans.pro.name}.`).waitFor();
  await other.getByLabel('Email').fill(email);
  await other.getByLabel('Password', { exact: true }).fill('six feet under');
  await button(other, 'Sign In').click();
  await other.waitForURL(`${shop.url}/subscribe?plan=pro`);
  await other.getByText(`${currentPlans.pro.name} plan`, { exact: true }).waitFor();
  await other.context().close();
});

test('no link leads to another site', async ({ page, shop }) => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    await page.goto(`${shop.url}/api/login?next=${encodeURIComponent(next)}`);
    expect(new URL(page.url()).searchParams.get('next')).toBe('/');
  }
  const email = `${randomUUID()}@example.test`;
  await page.goto(`${shop.url}/auth?next=${encodeURIComponent('//evil.example')}`);
  await signUp(page, email);
  await page.waitForURL(`${shop.url}/`);
  const link = new URL(await confirmPage(shop, email));
  expect(link.searchParams.has('next')).toBe(false);
  link.searchParams.set('next', 'https://evil.example/');
  await page.goto(link.href);
  await button(page, 'Confirm email address').click();
  await expect(page.getByRole('link', { name: /^Go to / }).last()).toHaveAttribute('href', '/');
});
