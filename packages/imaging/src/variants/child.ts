import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jobFiles, type MessageToChild } from '@uprez/contracts/schemas/jobs/child-messages';
import * as z from 'zod';
import { dropPrivileges, onParentMessage, sendFailure, sendToParent } from '../child/parent-link.ts';
import { guardedSharp } from '../decoders.ts';
import { makeVariants } from './make-variants.ts';

/**
 * Options of the media library's child process, which writes the WebP versions of an image. Passed as JSON in argv[2].
 */
const optionsSchema = z.object({ uid: z.int().optional(), gid: z.int().optional() });

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
guardedSharp.concurrency(1);

async function run({ runId, dir, widths }: Extract<MessageToChild, { type: 'resize' }>): Promise<void> {
  try {
    await makeVariants(await readFile(join(dir, jobFiles.source)), { dir, widths });
    sendToParent({ type: 'resized', runId });
  } catch (error) {
    sendFailure(runId, error);
  }
}

onParentMessage((message) => {
  if (message.type === 'resize') void run(message);
});

dropPrivileges(options);
sendToParent({ type: 'ready', engines: [], networks: [], device: 'cpu' });
