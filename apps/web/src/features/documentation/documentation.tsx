import type { User } from '@uprez/contracts/schemas/user';
import type { MDXContent } from 'mdx/types';
import type { ReactNode } from 'react';
import { ExampleValuesContext } from '../../ui/code/example-values.ts';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { mdxComponents } from './mdx-components.tsx';
import { documentationMessages as text } from './messages.ts';
import { outlines } from './outline-data.ts';
import ApiReference from './pages/api-reference.mdx';
import Examples from './pages/examples.mdx';
import GettingStarted from './pages/getting-started.mdx';
import Sdks from './pages/sdks.mdx';
import { Outline } from './parts/outline.tsx';
import { type TabName, tabNames } from './parts/places.ts';
import { Search } from './parts/search.tsx';
import { useTab } from './use-tab.ts';
import { useVisitorValues } from './use-visitor-values.ts';

const pages: Record<TabName, MDXContent> = {
  start: GettingStarted,
  reference: ApiReference,
  examples: Examples,
  sdks: Sdks,
};

/** A page with its outline, which is hidden on small screens. */
function Columns({ tab }: { tab: TabName }) {
  const Page = pages[tab];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 pt-3 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <div className="sticky top-20 grid max-h-[calc(100dvh-6rem)] content-start gap-4 self-start overflow-y-auto max-lg:hidden">
        <Outline entries={outlines[tab]} />
      </div>
      <div className="min-w-0">
        <Page components={mdxComponents} />
      </div>
    </div>
  );
}

/** The documentation in four tabs. */
export function Documentation({ user, heading }: { user: User | null; heading: ReactNode }) {
  const values = useVisitorValues(user);
  const [tab, choose] = useTab();
  return (
    <ExampleValuesContext value={values}>
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-4">
        {heading}
        <div className="w-full sm:w-64">
          <Search />
        </div>
      </div>
      <Tabs
        label={text.tabs.label}
        value={tab}
        onChange={choose}
        tabs={tabNames.map((name) => ({ value: name, label: text.tabs[name], content: <Columns tab={name} /> }))}
      />
    </ExampleValuesContext>
  );
}
