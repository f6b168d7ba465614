import type { Deps } from '../deps.ts';
import type { ApiAdapter } from './api-adapter.ts';
import { batchFileHandlers, batchHandlers, createBatchHandlers } from './batches/batches-routes.ts';
import { estimateHandlers } from './estimates/estimate-routes.ts';
import { resultHandlers, signedFileHandlers } from './files/files-routes.ts';
import { jobHandlers } from './jobs/jobs-routes.ts';
import { webhookDeliveryHandlers, webhookHandlers } from './webhooks/webhooks-routes.ts';

/**
 * Returns the handlers of the endpoints that both APIs have. `closing` aborts waits and streams when the gateway stops.
 */
export const sharedHandlers = (adapter: ApiAdapter, deps: Deps, closing: AbortSignal) => ({
  ...jobHandlers(adapter, deps, closing),
  ...resultHandlers(adapter, deps),
  ...signedFileHandlers(adapter, deps),
  ...estimateHandlers(adapter, deps),
  ...createBatchHandlers(adapter, deps, closing),
  ...batchHandlers(adapter, deps),
  ...batchFileHandlers(adapter, deps, closing),
  ...webhookHandlers(adapter, deps),
  ...webhookDeliveryHandlers(adapter, deps),
});
