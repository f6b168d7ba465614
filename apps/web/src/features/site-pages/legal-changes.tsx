import { useQuery } from '@tanstack/react-query';
import type { LegalText } from '@uprez/contracts/schemas/content/site-pages';
import { useSearchParams } from 'react-router';
import { Changes } from '../../ui/article/changes.tsx';
import { compareTexts } from '../../ui/article/compare-texts.ts';
import { Select } from '../../ui/controls/select.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { sitePageMessages } from './messages.ts';
import { legalTextQuery } from './queries.ts';

const text = sitePageMessages.legal;
const compareParam = 'compare';

/** The text of HTML, without markup. */
const textOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';

function Comparison({ legal, number }: { legal: LegalText; number: number }) {
  const query = useQuery(legalTextQuery(legal.slug, String(number)));
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-64" />}>
      {({ html }) => {
        const parts = compareTexts(textOf(html), textOf(legal.html));
        if (parts.every(({ kind }) => kind === 'same')) return <p className="text-muted text-sm">{text.same}</p>;
        return (
          <div className="grid gap-2">
            <p className="text-muted text-xs">{text.legend(number)}</p>
            <Changes parts={parts} />
          </div>
        );
      }}
    </QueryView>
  );
}

/** The differences of a version of a legal text from another one: by default, the one before. */
export function LegalChanges({ legal }: { legal: LegalText }) {
  const [params, setParams] = useSearchParams();
  const own = legal.version.number;
  const others = legal.versions.filter(({ number }) => number !== own);
  const asked = others.find(({ number }) => String(number) === params.get(compareParam));
  const other = asked ?? others.find(({ number }) => number < own) ?? others.at(-1);
  if (!other) return null;
  return (
    <section aria-labelledby="changes" className="grid gap-4 border-line border-t pt-6">
      <h2 id="changes" className="text-lg">
        {text.changes}
      </h2>
      <div className="max-w-60">
        <Select
          label={text.compareWith}
          value={String(other.number)}
          onChange={(number) => setParams({ [compareParam]: number }, { replace: true, preventScrollReset: true })}
          options={others.map(({ number }) => ({ value: String(number), label: text.version(number) }))}
        />
      </div>
      <Comparison legal={legal} number={other.number} />
    </section>
  );
}
