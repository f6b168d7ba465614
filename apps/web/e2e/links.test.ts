import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { test } from './support/fixtures.ts';

test('links in emails confirm the email address and reset the password', async ({ page, site }) => {
  const email = `${randomUUID()}@example.test`;
  const password = 'a longer battery staple';
  const signIn = page.getByRole('link', { name: 'Sign In' }).first();
  await page.setViewportSize({ width: 390, height: 800 });
  await test.step('confirm the email address', async () => {
    await page.goto(`${site.url}/auth`);
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await page.getByLabel('First Name').fill('Grace');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('six feet under');
    await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByText('Welcome, Grace').waitFor();
    await page.goto(await site.linkOf(email, 'Confirm your email address'));
    await page.getByRole('button', { name: 'Confirm email address' }).click();
    await page.getByRole('heading', { name: 'Email address confirmed' }).waitFor();
  });
  await test.step('request a new password', async () => {
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await signIn.click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await page.getByText('Password Reset Sent', { exact: true }).first().waitFor();
  });
  await test.step('reset the password, and sign in with it', async () => {
    await page.goto(await site.linkOf(email, 'Reset your'));
    await page.getByLabel('New Password').fill(password);
    await page.getByLabel('Confirm Password').fill(password);
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await page.getByRole('heading', { name: 'Password Reset Successful' }).waitFor();
    await page.waitForURL(/\/auth$/);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('Welcome, Grace').waitFor();
  });
});
