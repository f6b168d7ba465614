import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { urlPlaceholder } from '@uprez/contracts/texts/site/placeholders';
import { SiteLayout } from './app/layouts/site-layout.tsx';
import { partId, StaticDocumentation } from './features/documentation/static-documentation.tsx';
import { queryClient } from './lib/api/query-client.ts';
import { renderPage } from './render-page.tsx';
import { paths } from './site-map.ts';

/** Links between tabs lead to the parts of the page. */
const tabLink = new RegExp(`href="${paths.documentation}\\?tab=(\\w+)(?:#([^"]+))?"`, 'g');
const ownLink = new RegExp(`href="${paths.documentation}(#[^"]+)"`, 'g');

/** Returns the documentation as HTML, for browsers without JavaScript. Runs at build time. */
export function prerenderDocumentation(): string {
  // The fields of endpoints are read from this document.
  queryClient.setQueryData([v1Routes.v1OpenApi.path], makeOpenApi(urlPlaceholder));
  const page = (
    <SiteLayout>
      <StaticDocumentation />
    </SiteLayout>
  );
  return renderPage(paths.documentation, page)
    .replace(tabLink, (_, tab, id) => `href="#${id ?? partId(tab)}"`)
    .replace(ownLink, 'href="$1"');
}
