import { Link } from 'react-router';

export const codeStyle = 'rounded-small bg-sunken px-1 py-0.5 font-mono text-[0.8125em] wrap-anywhere';
const linkStyle = 'underline decoration-edge underline-offset-2 hover:decoration-current';
const mark = /(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/;

function Part({ text }: { text: string }) {
  if (text.startsWith('`')) return <code className={codeStyle}>{text.slice(1, -1)}</code>;
  const [, label, to = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(text) ?? [];
  if (!label) return text;
  // These paths are served by the gateway, not by the app.
  if (/^\/(v1|llms)/.test(to) || to.startsWith('https:'))
    return (
      <a href={to} className={linkStyle}>
        {label}
      </a>
    );
  return (
    <Link to={to} className={linkStyle}>
      {label}
    </Link>
  );
}

/** Text with code in backticks and links as `[label](url)`. */
export function RichText({ children }: { children: string }) {
  return children.split(mark).map((text, at) => <Part key={at} text={text} />);
}

/** Paragraphs of rich text, separated by blank lines. */
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
