import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { findMailLink, waitForMail } from '@uprez/testing/mail';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import { button } from '../support/shop.ts';

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
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('six feet under');
  await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
  await button(page, 'Create Account').click();
  await page.waitForURL(shop.url + order);
  await page
    .getByText(`Confirm ${email} to subscribe to ${name}. Open the link in our email, or send a new one.`)
    .waitFor();
  await checkScreens(page, shop.url + order, () => button(page, 'Send a new link').waitFor());

  const mailTab = await context.newPage();
  const link = findMailLink(await waitForMail(shop.mailUrl, email, 'Confirm your email address'));
  await mailTab.goto(shop.url + link.pathname + link.search);
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
