import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { TooltipProvider } from '../../ui/controls/tooltip.tsx';
import { places, tabNames } from './outline-data.ts';
import { splitSections } from './split-sections.ts';
import { tabPages } from './tab-pages.ts';

/** Returns the text of each place in the documentation, by place ID. Runs at build time. */
export function renderSections(): Record<string, string> {
  const texts = tabNames.map((tab) => {
    const Page = tabPages[tab];
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
