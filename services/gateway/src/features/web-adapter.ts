import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { NewBatchBody } from '@uprez/contracts/schemas/jobs/batch';
import { isSettled } from '@uprez/domain/batches/get-batch';
import type { Deps } from '../deps.ts';
import { findUser, requireActor } from '../http/authenticate.ts';
import { rowsOfPage } from '../http/public-links.ts';
import { hideFiles } from '../http/views.ts';
import type { ApiAdapter } from './api-adapter.ts';
import { presentBatch, presentBatchItem, presentBulk } from './batches/present-batch.ts';
import { presentJob } from './jobs/present-job.ts';
import { receiveImage } from './uploads/receive-image.ts';

const prefix = '/api';
const options = { async: undefined, cache: true, dryRun: false, webhookUrl: undefined };

/** The adapter of `/api`: session cookies, names in camelCase, root-relative URLs. */
export const webAdapter = (deps: Deps): ApiAdapter => ({
  surface: 'web',
  actorOf: (request) => requireActor(deps, request),
  planOf: async (request) => {
    const user = await findUser(deps, request);
    return user ? planOf(user) : currentPlans.free;
  },
  prefixOf: () => prefix,
  setHeaders: (reply) => reply,
  openToPages: async () => {},
  negotiate: () => ({ kind: 'json', takesJson: true }),
  confirmCaller: async () => {},
  receiveImage: (actor, receiving) => receiveImage(deps, actor, receiving),
  parseFields: (fields) => ({ recipe: parseRecipe(fields), options }),
  readNewBatch: async (request) => request.body as NewBatchBody,
  presentJob: (request, found) => hideFiles(request, presentJob(deps.config, found)),
  presentJobs: (reply, { jobs, ...page }) => rowsOfPage(reply, { rows: jobs, ...page }),
  presentDryRun: () => null,
  presentDeletion: (receipt) => receipt,
  presentBatch: (request, found) => {
    const batch = presentBatch(deps.config, found);
    return { ...batch, items: batch.items.map((item) => hideFiles(request, item)) };
  },
  presentBulk: (_request, found) => {
    const { id: batchId } = found.batch;
    if (found.items.every(isSettled)) return presentBulk(deps.config, found);
    return { batchId, statusUrl: `${prefix}/batches/${batchId}` };
  },
  presentBatchItem: (_request, entry) => presentBatchItem(deps.config, entry),
  presentManifestRow: (row) => row,
});
