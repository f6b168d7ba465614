import { ApiError } from '@uprez/client/api-error';
import { strengthRange } from '@uprez/contracts/policy/images/image-formats';
import { meters } from '@uprez/contracts/policy/plans/meters';
import type { Batch } from '@uprez/contracts/schemas/jobs/batch';
import { api } from '../../../lib/api/api.ts';
import { describeError, hasErrorCode, isRejectedRequest } from '../../../lib/api/api-errors.ts';
import { dashboardKey } from '../../../lib/api/queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { retry } from '../../../lib/api/retry.ts';
import { randomId } from '../../../lib/browser/random-id.ts';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import { rowSettingsOf } from '../state/bulk-settings.ts';
import { type BatchRequest, type BulkState, getBulk, setBulk } from '../state/bulk-store.ts';
import { type Row, resetRow } from '../state/row.ts';
import { applyNewBatch } from './apply-batch.ts';
import { isSignedOut, pauseForSignIn, pollBatches, storeBatch } from './poll-batches.ts';
import { sendFiles } from './send-files.ts';
import { syncPauses } from './sync-pauses.ts';

type RunPlan = {
  /** Rows that need a new batch. */
  fresh: Row[];
  /** Failed items that the server retries in their existing batch. */
  again: { batchId: string; rows: Row[] }[];
  /** Rows that the server is still waiting for a file for. */
  resend: Row[];
  lost: Row[];
};

const hasSameResult = ({ recipe }: Batch, settings: Omit<RecipeSettings, 'engine'>) =>
  recipe.scaleFactor === settings.scaleFactor &&
  recipe.format === settings.format &&
  recipe.quality === settings.quality &&
  (recipe.detail === 'crisp') === (settings.detail === 'crisp') &&
  (recipe.strength ?? strengthRange.max) === (settings.strength ?? strengthRange.max) &&
  (recipe.grain ?? 0) === (settings.grain ?? 0) &&
  (recipe.edges ?? 'clamp') === (settings.edges ?? 'clamp') &&
  (recipe.alpha ?? 'transparency') === (settings.alpha ?? 'transparency') &&
  (recipe.neverLarger ?? true) === (settings.neverLarger ?? true) &&
  recipe.targetBytes === settings.targetBytes;

/**
 * Decides how each row runs. The server can only retry all failed items of a batch together, with the same settings
 * except for the engine. Rows that need anything else become items of a new batch.
 */
export function planRun(
  rows: readonly Row[],
  batches: Readonly<Record<string, Batch>>,
  settings: RecipeSettings,
): RunPlan {
  const wanted = new Set(rows.map(({ item }) => item?.itemId));
  const takesAgain = ({ item, status, options }: Row) => {
    const batch = item && status === 'failed' ? batches[item.batchId] : undefined;
    if (!batch || batch.status === 'cancelled' || !hasSameResult(batch, rowSettingsOf(settings, { options })))
      return false;
    return batch.items.every((item) => item.status !== 'failed' || wanted.has(item.id));
  };
  const plan: RunPlan = { fresh: [], again: [], resend: [], lost: [] };
  const again = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.item && row.awaitsFile && row.file) plan.resend.push(row);
    else if (row.item && takesAgain(row)) again.set(row.item.batchId, [...(again.get(row.item.batchId) ?? []), row]);
    else (row.file ? plan.fresh : plan.lost).push(row);
  }
  return { ...plan, again: [...again].map(([batchId, of]) => ({ batchId, rows: of })) };
}

type RunInput = { rows: readonly Row[]; recipe: RecipeSettings; acceptPartial?: boolean };

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

function changeRows(rows: readonly Row[], change: (row: Row) => Row) {
  const ids = new Set(idsOf(rows));
  setBulk((state) => ({ rows: state.rows.map((row) => (ids.has(row.id) ? change(row) : row)) }));
}

/**
 * Runs rows in new batches, or retries them in their existing batches. Processing starts when the first file has been
 * uploaded.
 */
export async function runRows({ rows, recipe, acceptPartial = false }: RunInput): Promise<void> {
  const { batches, starting } = getBulk();
  if (starting || rows.length === 0) return;
  const plan = planRun(rows, batches, recipe);
  // Rows without a file stay pending until the file is added again.
  changeRows(plan.lost, resetRow);
  const runIds = idsOf(rows.filter((row) => !plan.lost.includes(row)));
  const cleared = { cleared: undefined, error: undefined, shortage: undefined };
  setBulk({ ...cleared, starting: true, settingsOpen: false, paused: false, runIds });
  await startRun(async () => {
    changeRows(plan.resend, (row) => ({ ...row, status: 'pending', error: undefined }));
    for (const { batchId } of plan.again) await retryBatch(batchId, recipe);
    const requests = groupByRecipe(plan.fresh, recipe).map((group) => makeBatchRequest({ ...group, acceptPartial }));
    if (requests.length > 0) setBulk({ requests, unconfirmedRequest: undefined });
    await createBatches();
  });
}

/** Groups rows by recipe, because a batch has only one. Rows with their own options go into separate batches. */
function groupByRecipe(rows: readonly Row[], settings: RecipeSettings): Pick<BatchRequest, 'rowIds' | 'recipe'>[] {
  const groups = new Map<string, { rowIds: string[]; recipe: RecipeSettings }>();
  for (const row of rows) {
    const recipe = rowSettingsOf(settings, row);
    const key = JSON.stringify(recipe);
    const group = groups.get(key) ?? { rowIds: [], recipe };
    group.rowIds.push(row.id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * Adds an idempotency key. Reuses the previous key if it belongs to the same request and the outcome of that request is
 * unknown.
 */
function makeBatchRequest(request: Omit<BatchRequest, 'key'>): BatchRequest {
  const { key, ...unconfirmed } = getBulk().unconfirmedRequest ?? {};
  const isSame = key !== undefined && JSON.stringify(unconfirmed) === JSON.stringify(request);
  return { ...request, key: isSame ? key : randomId() };
}

export async function repeatRequests(): Promise<void> {
  if (getBulk().requests.length === 0) return;
  setBulk({ starting: true });
  await startRun(createBatches);
}

async function createBatches(): Promise<void> {
  for (let [request] = getBulk().requests; request; [request] = getBulk().requests) await createBatch(request);
}

async function retryBatch(id: string, { engine }: RecipeSettings) {
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
  setBulk(({ rows, batches, requests }) => ({
    rows: applyNewBatch(rows, data as Batch),
    batches: { ...batches, [data.id]: data },
    requests: requests.filter((request) => request.key !== key),
    stalled: false,
  }));
}

/** Starts a run, and shows the error if it fails. Batches that have already started continue. */
async function startRun(start: () => Promise<void>) {
  try {
    await start();
  } catch (error) {
    if (isSignedOut(error)) return pauseForSignIn();
    const [request] = getBulk().requests;
    const unconfirmedRequest = isRejectedRequest(error) ? undefined : request;
    setBulk({ requests: [], stalled: false, unconfirmedRequest, ...toErrorState(error) });
  } finally {
    setBulk({ starting: false });
    sendFiles();
    pollBatches();
    void syncPauses();
    void queryClient.refetchQueries({ queryKey: dashboardKey });
  }
}

function toErrorState(error: unknown): Pick<BulkState, 'shortage' | 'error'> {
  const { meter: name, needs, have, resetsAt } = (error instanceof ApiError && error.meta) || {};
  const meter = meters.find((known) => known === name);
  if (hasErrorCode(error, 'quota_exceeded') && meter && typeof needs === 'number' && typeof have === 'number')
    return { shortage: { meter, needs, have, resetsAt: typeof resetsAt === 'string' ? resetsAt : undefined } };
  return { error: describeError(error) };
}
