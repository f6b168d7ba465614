import type { V1Event } from '@uprez/contracts/v1/events';
import { json, type V1Caller } from './v1-calls.ts';

export type Feed = { data: V1Event[]; next_cursor: string | null };

export const readFeed = async (caller: V1Caller, query = '', base = '/v1'): Promise<Feed> =>
  (await (await caller.call('GET', `${base}/events${query}`)).json()) as Feed;

export const create = (caller: V1Caller, body: object = {}) =>
  caller.call('POST', '/v1/webhooks', json({ url: 'https://hooks.images.example/a', ...body }));
