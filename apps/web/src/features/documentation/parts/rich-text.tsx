import type { ReactNode } from 'react';
import { Link } from 'react-router';

const linkStyle = 'underline decoration-edge underline-offset-2 hover:decoration-current';
const inlineMarkup = /(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/;

export const Code = ({ children }: { children?: ReactNode }) => <code className="inline-code">{children}</code>;

function Part({ text }: { text: string }) {
  if (text.startsWith('`')) return <Code>{text.slice(1, -1)}</Code>;
  const [, label, to = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(text) ?? [];
  return label ? <TextLink to={to}>{label}</TextLink> : text;
}

export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  // Uses a plain link for `/v1` and `/llms` URLs, because the gateway serves them. They aren't routes in the app.
  if (/^\/(v1|llms)/.test(to) || to.startsWith('https:'))
    return (
      <a href={to} className={linkStyle}>
        {children}
      </a>
    );
  return (
    <Link to={to} className={linkStyle}>
      {children}
    </Link>
  );
}

/** Renders `code` and [links](url) in a string. */
export function RichText({ children }: { children: string }) {
  return children.split(inlineMarkup).map((text, at) => <Part key={at} text={text} />);
}

export function Paragraphs({ text }: { text: string }) {
  return (
    <div className="grid max-w-2xl gap-3 text-sm">
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph} className="text-pretty">
          <RichText>{paragraph}</RichText>
        </p>
      ))}
    </div>
  );
}
