import { expect, it } from 'vitest';
import { texts } from './texts.ts';

const facts = { siteName: 'Uprez', supportEmail: 's@x.test', publicUrl: 'https://x.test', firstName: null, token: 't' };

it('the link that confirms an email address has the page to open afterward', () => {
  const linkOf = (next?: string) =>
    new URL(texts.verify_email({ mail: 'verify_email', next }, facts).action?.url ?? '');
  const link = linkOf('/subscribe?plan=pro&interval=year');
  expect([link.origin, link.pathname]).toEqual(['https://x.test', '/verify-email']);
  expect(Object.fromEntries(link.searchParams)).toEqual({ next: '/subscribe?plan=pro&interval=year', token: 't' });
  expect(linkOf().search).toBe('?token=t');
});

it('the email that confirms an address names the plan that its user is about to buy', () => {
  const linesOf = (next?: string) => texts.verify_email({ mail: 'verify_email', next }, facts).lines;
  expect(linesOf('/subscribe?plan=pro')).toEqual(['Confirm your email address to subscribe to Pro.']);
  expect(linesOf()).toEqual(['Confirm the email address of your Uprez account.']);
});
