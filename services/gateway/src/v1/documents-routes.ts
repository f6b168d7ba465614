import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { makePostman } from '@uprez/contracts/docs/openapi/make-postman';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { serveDocument } from '../features/site/serve-document.ts';
import { absoluteUrl } from '../http/public-links.ts';
import { v1Contract } from './v1-contract.ts';

/** The OpenAPI document and the Postman collection of the public API. */
export function registerV1DocumentRoutes(app: App, { config }: Pick<Deps, 'config'>): void {
  const makeDocument = () => makeOpenApi(absoluteUrl(config, ''));
  const type = 'application/json';
  serveDocument(app, v1Contract('v1OpenApi'), { type, make: () => JSON.stringify(makeDocument()) });
  serveDocument(app, v1Contract('v1Postman'), { type, make: () => JSON.stringify(makePostman(makeDocument())) });
}
