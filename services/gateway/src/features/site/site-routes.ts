import { makeLlmsText } from '@uprez/contracts/docs/llms-text';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { absoluteUrl } from '../../http/public-links.ts';
import { serveDocument } from './serve-document.ts';

/** What everybody is told of the site: the addresses are meant to be written to, the rule for passwords to be met. */
export function registerSiteRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('site'),
    handler: async (_request, reply) => {
      const { siteName, contactEmail, supportEmail } = await deps.settings.read('site');
      const { minPasswordLength } = await deps.settings.read('security');
      return reply.status(200).send({ siteName, contactEmail, supportEmail, minPasswordLength });
    },
  });
  serveDocument(app, contract('llms'), { type: 'text/plain', make: () => makeLlmsText(absoluteUrl(deps.config, '')) });
}
