import { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { AppError } from '@uprez/contracts/errors/app-error';
import { checkModel } from '@uprez/models/custom/check-model';
import { ModelError } from '@uprez/models/custom/custom-model';
import * as z from 'zod';
import { dropPrivileges, onParentMessage, sendFailure, sendToParent } from '../child/parent-link.ts';
import { readExactly } from '../child/read-exactly.ts';
import { measureModel } from './measure-model.ts';

/**
 * Options of the child that checks one model, passed as JSON in argv[2]. It receives the model on file descriptor 4 and
 * answers `checkModel` with `checkedModel` or `failed`.
 */
const optionsSchema = z.object({
  threads: z.int().positive().default(availableParallelism()),
  uid: z.int().optional(),
  gid: z.int().optional(),
});
const modelFd = 4;

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
const socket = new Socket({ fd: modelFd, readable: true, writable: false });

async function check(runId: string, sizeBytes: number): Promise<void> {
  try {
    const model = await readExactly(socket, sizeBytes);
    checkModel(model);
    sendToParent({ type: 'checkedModel', runId, measured: await measureModel(model, options.threads) });
  } catch (error) {
    const refused = error instanceof ModelError;
    sendFailure(runId, refused ? new AppError('invalid_parameter', { detail: error.message }) : error);
  }
}

onParentMessage((message) => {
  if (message.type === 'checkModel') void check(message.runId, message.sizeBytes);
});

dropPrivileges(options);
sendToParent({ type: 'ready', engines: [], networks: [], device: 'cpu' });
