import { urlPlaceholder } from '@uprez/contracts/texts/site/placeholders';
import { type ExampleValues, ExampleValuesContext, StaticViewContext } from '../../ui/code/example-values.ts';
import { documentationMessages as text } from './messages.ts';
import { outlines, type TabName, tabNames } from './outline-data.ts';
import { mdxComponents } from './parts/mdx-components.tsx';
import { tabPages } from './tab-pages.ts';

const values: ExampleValues = { address: urlPlaceholder, preview: undefined };
const views = { one: { languages: 'first' }, all: { languages: 'all' } } as const;
/** Returns the ID for a tab's section. The section exists only on the static page, so its ID isn't in `places`. */
export const partId = (tab: TabName): string => `tab-${tab}`;

function Contents() {
  return (
    <nav aria-label={text.tabs.label} className="grid gap-x-6 gap-y-4 border-line border-y py-5 sm:grid-cols-4">
      {tabNames.map((tab) => (
        <div key={tab} className="grid content-start gap-1 text-sm">
          <a href={`#${partId(tab)}`} className="font-medium underline underline-offset-2">
            {text.tabs[tab]}
          </a>
          <ul className="grid gap-1 text-muted">
            {outlines[tab].map(({ id, label }) => (
              <li key={id}>
                <a href={`#${id}`} className="hover:text-ink">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Part({ tab }: { tab: TabName }) {
  const Page = tabPages[tab];
  return (
    <StaticViewContext value={tab === 'examples' ? views.all : views.one}>
      <section
        id={partId(tab)}
        aria-labelledby={`${partId(tab)}-title`}
        className="grid min-w-0 scroll-mt-20 gap-6 pt-6"
      >
        <h2 id={`${partId(tab)}-title`} className="text-xl">
          {text.tabs[tab]}
        </h2>
        <div className="min-w-0">
          <Page components={mdxComponents} />
        </div>
      </section>
    </StaticViewContext>
  );
}

/** The entire documentation on one page, for browsers without JavaScript. Each tab becomes a section. */
export function StaticDocumentation() {
  return (
    <ExampleValuesContext value={values}>
      <div className="mx-auto grid w-full max-w-300 grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 sm:px-6 sm:py-10">
        <div className="grid min-w-0 gap-2">
          <h1 className="text-xl">{text.title}</h1>
          <p className="max-w-xl text-pretty text-muted text-sm">{text.lead}</p>
        </div>
        <Contents />
        {tabNames.map((tab) => (
          <Part key={tab} tab={tab} />
        ))}
      </div>
    </ExampleValuesContext>
  );
}
