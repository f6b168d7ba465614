import type { LocalModel } from '@uprez/contracts/schemas/jobs/local-model';
import { helpRun, openChainThread } from '@uprez/imaging/browser/chain/run-chain';
import { failureOf } from './local-error.ts';
import { type OpenModel, openModel } from './open-model.ts';
import { runJob } from './run-job.ts';
import type { WorkerReply, WorkerRequest } from './worker-messages.ts';

let opened: Promise<OpenModel> | undefined;

/** Opens the model once, or again after an error. There is only one model. */
function open(model: LocalModel): Promise<OpenModel> {
  opened ??= openModel(model).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

const reply = (message: WorkerReply) => postMessage(message);

async function answer(request: WorkerRequest): Promise<void> {
  const { id } = request;
  if (request.kind === 'probe') return reply({ id, kind: 'ready', probe: (await open(request.model)).probe });
  if (request.kind === 'help') {
    const thread = await openChainThread(request.setup, request.thread);
    reply({ id, kind: 'helping' });
    return helpRun(thread);
  }
  const report = (share: number) => reply({ id, kind: 'progress', share });
  const model = request.model && (await open(request.model));
  reply({ id, kind: 'done', result: await runJob({ ...request, opened: model, report }) });
}

addEventListener('message', async ({ data }: MessageEvent<WorkerRequest>) => {
  try {
    await answer(data);
  } catch (error) {
    reply({ id: data.id, kind: 'failed', failure: failureOf(error), detail: String(error) });
  }
});
