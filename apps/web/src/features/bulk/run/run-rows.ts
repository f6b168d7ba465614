import { ApiError } from '@uprez/client/api-error';
import type { Batch } from '@uprez/contracts/schemas/batch';
import { api } from '../../../lib/api/api.ts';
import { errorMessage, hasErrorCode, isRefused } from '../../../lib/api/api-errors.ts';
import { dashboardKey } from '../../../lib/api/queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { retry } from '../../../lib/api/retry.ts';
import { randomId } from '../../../lib/browser/random-id.ts';
import type { BulkSettings } from '../state/bulk-settings.ts';
import { type BatchRequest, type BulkState, getBulk, setBulk } from '../state/bulk-store.ts';
import { type Row, resetRow } from '../state/row.ts';
import { enterBatch } from './apply-batch.ts';
import { planRun } from './plan-run.ts';
import { pollBatches, storeBatch } from './poll-batches.ts';
import { sendFiles } from './send-files.ts';
import { isSignedOut, pauseForSignIn } from './session-end.ts';

type Run = { rows: readonly Row[]; recipe: BulkSettings; acceptPartial?: boolean };

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

function changeRows(rows: readonly Row[], change: (row: Row) => Row) {
  const ids = new Set(idsOf(rows));
  setBulk((state) => ({ rows: state.rows.map((row) => (ids.has(row.id) ? change(row) : row)) }));
}

/** Runs rows in a new batch, or by retrying their batch. The server starts with the first uploaded file. */
export async function runRows({ rows, recipe, acceptPartial = false }: Run): Promise<void> {
  const { batches, starting } = getBulk();
  if (starting || rows.length === 0) return;
  const plan = planRun(rows, batches, recipe);
  // Rows without a file stay pending until it is dropped again.
  changeRows(plan.lost, resetRow);
  const runIds = idsOf(rows.filter((row) => !plan.lost.includes(row)));
  setBulk({ starting: true, runIds, error: undefined, shortage: undefined });
  await startRun(async () => {
    changeRows(plan.resend, (row) => ({ ...row, status: 'pending', error: undefined }));
    for (const { batchId } of plan.again) await retryBatch(batchId, recipe);
    if (plan.fresh.length > 0) {
      const request = makeRequest({ rowIds: idsOf(plan.fresh), recipe, acceptPartial });
      setBulk({ request, unconfirmedRequest: undefined });
      await createBatch(request);
    }
  });
}

/** Adds an idempotency key: that of the same request if its outcome is unknown, else a new one. */
function makeRequest(request: Omit<BatchRequest, 'key'>): BatchRequest {
  const { key, ...unconfirmed } = getBulk().unconfirmedRequest ?? {};
  const isSame = key !== undefined && JSON.stringify(unconfirmed) === JSON.stringify(request);
  return { ...request, key: isSame ? key : randomId() };
}

/** Repeats the request that was pending when the page was left. */
export async function repeatRequest(): Promise<void> {
  const { request } = getBulk();
  if (!request) return;
  setBulk({ starting: true });
  await startRun(() => createBatch(request));
}

async function retryBatch(id: string, { engine }: BulkSettings) {
  const { data } = await api.retryBatch({ params: { id }, body: { engine } });
  storeBatch(data);
}

async function createBatch({ key, rowIds, recipe, acceptPartial }: BatchRequest) {
  const items = getBulk()
    .rows.filter(({ id }) => rowIds.includes(id))
    .map(({ id, name, relativePath, size }) => ({ clientId: id, name, relativePath, size }));
  const body = { recipe, items, acceptPartial };
  const create = () => api.createBatch({ body, headers: { 'idempotency-key': key } });
  const { data } = await retry(create, { attempts: 5, onRetry: () => setBulk({ stalled: true }) });
  setBulk(({ rows, batches }) => ({
    rows: enterBatch(rows, data as Batch),
    batches: { ...batches, [data.id]: data },
    request: undefined,
    stalled: false,
  }));
}

/** Starts a run and shows why it could not start. Parts that did start continue. */
async function startRun(start: () => Promise<void>) {
  try {
    await start();
  } catch (error) {
    if (isSignedOut(error)) return pauseForSignIn();
    const { request } = getBulk();
    setBulk({ request: undefined, unconfirmedRequest: isRefused(error) ? undefined : request, ...explain(error) });
  } finally {
    setBulk({ starting: false });
    sendFiles();
    pollBatches();
    void queryClient.refetchQueries({ queryKey: dashboardKey });
  }
}

function explain(error: unknown): Pick<BulkState, 'shortage' | 'error'> {
  const { needs, have, resetsAt } = (error instanceof ApiError && error.meta) || {};
  if (hasErrorCode(error, 'quota_exceeded') && typeof needs === 'number' && typeof have === 'number')
    return { shortage: { needs, have, resetsAt: typeof resetsAt === 'string' ? resetsAt : undefined } };
  return { error: errorMessage(error) };
}
