import { Link } from 'react-router';

export const codeStyle = 'rounded-small bg-sunken px-1 py-0.5 font-mono text-[0.8125em] wrap-anywhere';
const linkStyle = 'underline decoration-edge underline-offset-2 hover:decoration-current';
const mark = /(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/;

function Part({ text }: { text: string }) {
  if (text.startsWith('`')) return <code className={codeStyle}>{text.slice(1, -1)}</code>;
  const [, label, to = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(text) ?? [];
  if (!label) return text;
  // Files that the gateway answers with are no pages of ours.
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

/** A sentence of ours in which backticks mark code and `[label](address)` a link. */
export function RichText({ children }: { children: string }) {
  return children.split(mark).map((text, at) => <Part key={at} text={text} />);
}

/** Paragraphs of such sentences, with a blank line between. */
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
