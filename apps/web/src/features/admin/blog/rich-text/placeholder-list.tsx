import { placeholderValues } from '@uprez/markup/placeholders';
import { blogTextMessages } from './messages.ts';

const text = blogTextMessages.placeholders;

/** The names that a text can contain in double braces, with their present values. */
export const PlaceholderList = () => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer text-muted hover:text-ink">{text.title}</summary>
    <p className="mt-2 text-muted">{text.hint}</p>
    <dl className="mt-2 grid max-h-64 grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 overflow-y-auto">
      {[...placeholderValues].map(([name, value]) => (
        <div key={name} className="contents">
          <dt>
            <code className="text-xs wrap-anywhere">{`{{${name}}}`}</code>
          </dt>
          <dd className="text-muted wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  </details>
);
