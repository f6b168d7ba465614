import { getIncident } from '@uprez/domain/status/page/get-incident';
import { getStatus } from '@uprez/domain/status/page/get-status';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { siteUrlOf } from '../../http/web/page-head.ts';
import { openTextSender } from '../../http/web/send-text.ts';
import type { Dialect } from '../dialect.ts';
import { makeBadge } from './make-badge.ts';
import { makeStatusFeed } from './make-status-feed.ts';

type FileName = 'getStatus' | 'statusFeed' | 'statusBadge';
type File = { type: string; cacheControl: string; make: () => Promise<string> };

/** Sites that embed the badge, and feed readers, see changes after at most a minute. */
const shared = 'public, max-age=60';

/** The status of the services as JSON, RSS, and an image; and incidents. Anyone may read them, also during maintenance. */
export function registerStatusRoutes({ app, route }: Dialect, deps: Deps): void {
  const files: Record<FileName, File> = {
    getStatus: {
      type: 'application/json',
      cacheControl: 'public, no-cache',
      make: async () => JSON.stringify(await getStatus(deps)),
    },
    statusFeed: {
      type: 'application/rss+xml',
      cacheControl: shared,
      make: async () => {
        const site = await deps.settings.read('site');
        const urlOf = (path: string) => siteUrlOf({ site }, path);
        return makeStatusFeed({ siteName: site.siteName, status: await getStatus(deps), urlOf });
      },
    },
    statusBadge: {
      type: 'image/svg+xml',
      cacheControl: shared,
      make: async () => makeBadge((await getStatus(deps)).state),
    },
  };
  const sendText = openTextSender();
  for (const [name, { type, cacheControl, make }] of Object.entries(files) as [FileName, File][]) {
    const { method, url, config } = contract(name);
    const headers = {
      'cache-control': cacheControl,
      // Pages of other sites show the state, too.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    };
    app.route({
      method,
      url,
      config,
      handler: async (_request, reply) => sendText(reply.headers(headers), { type, text: await make() }),
    });
  }
  route('getIncident', async (request) => getIncident(deps, request.params.id));
}
