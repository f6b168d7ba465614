import { urlPlaceholder } from '@uprez/contracts/texts/site/placeholders';
import { SiteLayout } from './app/layouts/site-layout.tsx';
import { ApiSection } from './features/landing/api-section.tsx';
import { Hero, SectionsFallback } from './features/landing/hero.tsx';
import { SampleView } from './features/landing/sample-view.tsx';
import { Processor } from './features/processor/processor.tsx';
import { renderPage } from './render-page.tsx';
import { paths } from './site-map.ts';

const ignore = () => undefined;

/**
 * The first screen of a visitor. Links work without code; the processor is inert until the app replaces the page. Browsers
 * without JavaScript also show the example of the API, which needs no code.
 */
function FirstScreen() {
  return (
    <SiteLayout>
      <Hero working={false}>
        <div inert aria-hidden="true">
          <Processor user={null} aside={<SampleView onOpen={ignore} />} onSeveral={ignore} />
        </div>
      </Hero>
      <noscript>
        <ApiSection origin={urlPlaceholder} />
      </noscript>
      <SectionsFallback />
    </SiteLayout>
  );
}

/** An input that is gone once the app has loaded would lose the files that were chosen in it. */
const fileInput = /<input[^>]*type="file"[^>]*>/g;

/** Returns the first screen of the landing page for visitors as HTML. Runs at build time. */
export const prerenderLanding = (): string => renderPage(paths.home, <FirstScreen />).replace(fileInput, '');
