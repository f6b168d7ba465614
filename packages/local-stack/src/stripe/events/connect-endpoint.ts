import { apiVersion } from '../api-version.ts';
import type { Context } from '../context.ts';

/** Where all events are sent, signed with a secret that its server knows already. */
export interface Destination {
  url: string;
  secret: string;
}

const id = 'we_local';

/** Creates the webhook endpoint of the local product, or updates it. */
export function connectEndpoint({ store, now }: Pick<Context, 'store' | 'now'>, { url, secret }: Destination): void {
  store.transaction(() => {
    store.put('webhookEndpoints', {
      id,
      object: 'webhook_endpoint',
      api_version: apiVersion,
      application: null,
      created: store.get('webhookEndpoints', id)?.created ?? now(),
      description: null,
      enabled_events: ['*'],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url,
    });
    store.put('webhookSecrets', { id, secret });
  });
}
