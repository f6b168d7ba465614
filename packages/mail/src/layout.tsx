import { Body, Button, Container, Head, Hr, Html, Link, Preview, Text } from '@react-email/components';
import type { MailContent, MailFacts, Subscription } from './mail-content.ts';
import { footer, greetingOf } from './words.ts';

/** The web app's colors in sRGB, because email clients don't support oklch. */
const light = { page: '#f7f7f7', card: '#ffffff', line: '#dedede', ink: '#1c1c1c', muted: '#5e5e5e' };
const dark = { page: '#1a1a1a', card: '#242424', line: '#3c3c3c', ink: '#f0f0f0', muted: '#a8a8a8' };
const accent = '#d72e00';
const font = "Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** Dark colors. The inline styles are light, for email clients that drop style sheets. */
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

type LayoutProps = { content: MailContent; facts: MailFacts };

/** The layout of all emails: site name, greeting, paragraphs, one button with its URL, and a footer. No images. */
export function Layout({ content, facts }: LayoutProps) {
  const { subject, lines, action, body, after = [] } = content;
  const { subscription } = facts;
  return (
    <Html lang="en">
      <Head>
        <title>{subject}</title>
        <meta content="light dark" name="color-scheme" />
        <meta content="light dark" name="supported-color-schemes" />
        <style>{css}</style>
      </Head>
      <Preview>{lines[0] ?? subject}</Preview>
      <Body className="page" style={{ backgroundColor: light.page, fontFamily: font, margin: 0, padding: '32px 12px' }}>
        <Container
          className="card"
          style={{
            backgroundColor: light.card,
            border: `1px solid ${light.line}`,
            borderRadius: '10px',
            maxWidth: '560px',
            padding: '28px',
          }}
        >
          <Text className="ink" style={{ ...paragraph, fontWeight: 650 }}>
            {facts.siteName}
          </Text>
          {[...greetingOf(content, facts), ...lines].map((line) => (
            <Text className="ink" key={line} style={paragraph}>
              {line}
            </Text>
          ))}
          {body && (
            <div
              className="ink"
              // Our renderer made it from Markdown, and it is sanitized.
              dangerouslySetInnerHTML={{ __html: body.html }}
              style={{ ...paragraph, overflowWrap: 'break-word' }}
            />
          )}
          {action && <Action {...action} />}
          {after.map((line) => (
            <Text className="ink" key={line} style={paragraph}>
              {line}
            </Text>
          ))}
          <Hr className="line" style={{ borderColor: light.line, margin: '8px 0 16px' }} />
          {subscription && <SubscriptionNote {...subscription} />}
          <Text className="muted" style={{ ...small, margin: 0 }}>
            {footer(facts)}
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

function SubscriptionNote({ reason, unsubscribeUrl, preferencesUrl }: Subscription) {
  const link = { color: light.muted, textDecoration: 'underline' };
  return (
    <Text className="muted" style={small}>
      {reason}{' '}
      <Link className="muted" href={unsubscribeUrl} style={link}>
        Unsubscribe
      </Link>
      {' · '}
      <Link className="muted" href={preferencesUrl} style={link}>
        Email preferences
      </Link>
    </Text>
  );
}

function Action({ label, url }: NonNullable<MailContent['action']>) {
  return (
    <>
      <Button
        href={url}
        style={{
          backgroundColor: accent,
          borderRadius: '8px',
          color: '#ffffff',
          fontSize: '16px',
          fontWeight: 500,
          margin: '4px 0 16px',
          padding: '12px 20px',
        }}
      >
        {label}
      </Button>
      <Text className="muted" style={{ ...small, margin: '0 0 16px' }}>
        Or open this link:{' '}
        <Link className="muted" href={url} style={{ color: light.muted, textDecoration: 'underline' }}>
          {url}
        </Link>
      </Text>
    </>
  );
}
