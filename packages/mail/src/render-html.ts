// cspell:ignore Segoe
// Node.js runs this source, which it couldn't with JSX.
import { Body, Button, Container, Head, Hr, Html, Link, Preview, Text } from '@react-email/components';
import { render } from '@react-email/render';
import { createElement as h, type ReactNode } from 'react';
import { footer, greetingOf, type MailContent, type MailFacts, type Subscription } from './mail-content.ts';

export const renderHtml = (content: MailContent, facts: MailFacts): Promise<string> =>
  render(h(Layout, { content, facts }));

/** The web app's colors in sRGB, because email clients don't support oklch. */
const light = { page: '#f7f7f7', card: '#ffffff', line: '#dedede', ink: '#1c1c1c', muted: '#5e5e5e' };
const dark = { page: '#1a1a1a', card: '#242424', line: '#3c3c3c', ink: '#f0f0f0', muted: '#a8a8a8' };
const accent = '#d72e00';
const font = "Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** Styles for dark mode. The light colors are inline, because some email clients drop style sheets. */
const css = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page, .page > table > tbody > tr > td { background-color: ${dark.page} !important; }
  .card { background-color: ${dark.card} !important; border-color: ${dark.line} !important; }
  .line { border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .muted { color: ${dark.muted} !important; }
}`;

const paragraph = { color: light.ink, fontSize: '16px', lineHeight: '24px', margin: '0 0 16px' };
const small = {
  color: light.muted,
  fontSize: '14px',
  lineHeight: '20px',
  margin: '0 0 8px',
  wordBreak: 'break-word',
} as const;

const card = {
  backgroundColor: light.card,
  border: `1px solid ${light.line}`,
  borderRadius: '10px',
  maxWidth: '560px',
  padding: '28px',
};
const button = {
  backgroundColor: accent,
  borderRadius: '8px',
  color: '#ffffff',
  fontSize: '16px',
  fontWeight: 500,
  margin: '4px 0 16px',
  padding: '12px 20px',
};

type LayoutProps = { content: MailContent; facts: MailFacts };

const makeParagraph = (line: string) => h(Text, { className: 'ink', style: paragraph }, line);

function Layout({ content, facts }: LayoutProps) {
  const { subject, lines } = content;
  return h(
    Html,
    { lang: 'en' },
    h(
      Head,
      null,
      h('title', null, subject),
      h('meta', { content: 'light dark', name: 'color-scheme' }),
      h('meta', { content: 'light dark', name: 'supported-color-schemes' }),
      h('style', null, css),
    ),
    h(Preview, null, lines[0] ?? subject),
    h(
      Body,
      {
        className: 'page',
        style: { backgroundColor: light.page, fontFamily: font, margin: 0, padding: '32px 12px' },
      },
      h(Container, { className: 'card', style: card }, ...makeCard(content, facts)),
    ),
  );
}

function makeCard(content: MailContent, facts: MailFacts): ReactNode[] {
  const { lines, action, body, after = [] } = content;
  return [
    h(Text, { className: 'ink', style: { ...paragraph, fontWeight: 650 } }, facts.siteName),
    ...[...greetingOf(content, facts), ...lines].map(makeParagraph),
    body &&
      h('div', {
        className: 'ink',
        // Safe, because the HTML is rendered from Markdown and sanitized.
        dangerouslySetInnerHTML: { __html: body.html },
        style: { ...paragraph, overflowWrap: 'break-word' },
      }),
    ...(action ? makeAction(action) : []),
    ...after.map(makeParagraph),
    h(Hr, { className: 'line', style: { borderColor: light.line, margin: '8px 0 16px' } }),
    facts.subscription && makeSubscriptionNote(facts.subscription),
    h(Text, { className: 'muted', style: { ...small, margin: 0 } }, footer(facts)),
  ];
}

const makeLink = (href: string, text: string) =>
  h(Link, { className: 'muted', href, style: { color: light.muted, textDecoration: 'underline' } }, text);

const makeSubscriptionNote = ({ reason, unsubscribeUrl, preferencesUrl }: Subscription) =>
  h(
    Text,
    { className: 'muted', style: small },
    reason,
    ' ',
    makeLink(unsubscribeUrl, 'Unsubscribe'),
    ' · ',
    makeLink(preferencesUrl, 'Email preferences'),
  );

const makeAction = ({ label, url }: NonNullable<MailContent['action']>) => [
  h(Button, { href: url, style: button }, label),
  h(
    Text,
    { className: 'muted', style: { ...small, margin: '0 0 16px' } },
    'Or open this link:',
    ' ',
    makeLink(url, url),
  ),
];
