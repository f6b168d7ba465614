import type { Actor } from '@uprez/domain/actor';
import { getBatchItem, type OwnItem } from '@uprez/domain/batches/get-batch';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { answerEarly } from '../../http/answer-early.ts';
import { acceptFile } from '../uploads/accept-file.ts';
import { receiveItem } from './receive-item.ts';

type Call = { request: FastifyRequest; reply: FastifyReply; ids: { id: string; itemId: string } };

/** Take the file that an item of a batch waits for; the item. One that waits no more is told unread. */
export async function takeItem(deps: Deps, actor: Actor, { request, reply, ids }: Call): Promise<OwnItem> {
  const own = await getBatchItem(deps, { actor, ...ids });
  if (own.item.status === 'waiting')
    await acceptFile(deps, actor, { own, receive: () => receiveItem(deps, actor, request) });
  answerEarly(request, reply);
  return getBatchItem(deps, { actor, ...ids });
}
