/** A call of the package: how it is called, and the request that Stripe must receive. */
import type { Payments } from '../../src/open-payments.ts';
import { listOf } from './replies.ts';

export type ApiCall = {
  run: (payments: Payments) => Promise<unknown>;
  /** Method and path. */
  request: string;
  /** Of the form or the query, by flat name. */
  params?: Record<string, string>;
  reply: unknown;
};

export const keyed = { idempotencyKey: 'call_1:1' };
export const origin = { accountId: 'acc_1', callId: 'call_1', ...keyed };
export const originParams = { 'metadata[app]': 'uprez', 'metadata[account]': 'acc_1', 'metadata[call]': 'call_1' };
export const customerId = 'cus_1';
export const after = 'last_1';
export const page = { limit: '100', starting_after: 'last_1' };
export const list = (item: object) => listOf([item]);
/** As a preview has it, with milliseconds. */
export const prorationDate = new Date('2026-11-10T12:00:00.900Z');
export const prorationParam = '1794312000';
