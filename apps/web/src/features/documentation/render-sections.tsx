import type { MDXContent } from 'mdx/types';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { TooltipProvider } from '../../ui/controls/tooltip.tsx';
import { places, type TabName, tabNames } from './outline-data.ts';
import ApiReference from './pages/api-reference.mdx';
import Examples from './pages/examples.mdx';
import GettingStarted from './pages/getting-started.mdx';
import Sdks from './pages/sdks.mdx';
import { splitSections } from './split-sections.ts';

const pages: Record<TabName, MDXContent> = {
  start: GettingStarted,
  reference: ApiReference,
  examples: Examples,
  sdks: Sdks,
};

/** Returns the text of each place of the documentation by its ID. Runs at build time. */
export function renderSections(): Record<string, string> {
  const texts = tabNames.map((tab) => {
    const Page = pages[tab];
    const markup = renderToStaticMarkup(
      <MemoryRouter>
        <TooltipProvider>
          <Page />
        </TooltipProvider>
      </MemoryRouter>,
    );
    return splitSections(
      markup,
      places.filter((place) => place.tab === tab).map(({ id }) => id),
    );
  });
  return Object.assign({}, ...texts);
}
