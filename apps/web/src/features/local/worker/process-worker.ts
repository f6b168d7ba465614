import type { LocalModel } from '@uprez/contracts/schemas/jobs/local-model';
import { openChainThread, runHelperThread } from '@uprez/imaging/browser/chain/run-chain';
import { failureOf } from './local-error.ts';
import { type OpenModel, openModel } from './open-model.ts';
import { runJob } from './run-job.ts';
import type { WorkerReply, WorkerRequest } from './worker-messages.ts';

let openedModel: Promise<OpenModel> | undefined;

/**
 * Opens the model once, whichever model the argument names, because only one exists. After an error, the next call
 * tries again.
 */
function openModelOnce(model: LocalModel): Promise<OpenModel> {
  openedModel ??= openModel(model).catch((error: unknown) => {
    openedModel = undefined;
    throw error;
  });
  return openedModel;
}

const postReply = (message: WorkerReply) => postMessage(message);

async function handleRequest(request: WorkerRequest): Promise<void> {
  const { id } = request;
  if (request.kind === 'probe')
    return postReply({ id, kind: 'ready', probe: (await openModelOnce(request.model)).probe });
  if (request.kind === 'help') {
    const thread = await openChainThread(request.setup, request.thread);
    postReply({ id, kind: 'helping' });
    return runHelperThread(thread);
  }
  const report = (share: number) => postReply({ id, kind: 'progress', share });
  const model = request.model && (await openModelOnce(request.model));
  postReply({ id, kind: 'done', result: await runJob({ ...request, opened: model, report }) });
}

addEventListener('message', async ({ data }: MessageEvent<WorkerRequest>) => {
  try {
    await handleRequest(data);
  } catch (error) {
    postReply({ id: data.id, kind: 'failed', failure: failureOf(error), detail: String(error) });
  }
});
