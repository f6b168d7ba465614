import { expect, test } from 'vitest';
import { makeFirstSettings } from './first-settings.ts';

const addresses = (PUBLIC_URL: string, SMTP_FROM_EMAIL?: string) => {
  const { site, email } = makeFirstSettings({ PUBLIC_URL, SMTP_FROM_EMAIL, SMTP_PORT: 587, SMTP_SECURE: true });
  return [site.supportEmail, site.contactEmail, email.fromEmail];
};

test("uses email addresses of the site's host unless one is set", () => {
  const own = ['support@larger.example', 'support@larger.example', 'no-reply@larger.example'];
  expect(addresses('https://larger.example:8443/')).toEqual(own);
  expect(addresses('https://larger.example', 'hi@mail.example')).toEqual(Array(3).fill('hi@mail.example'));
});

test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://[2001:db8::1]'])(
  '%s is a host that cannot receive email',
  (url) => expect(addresses(url)[2]).toBe('no-reply@uprez.local'),
);
