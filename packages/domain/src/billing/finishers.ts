import { collectFinishers, makeFinisher } from './calls/finish-next-call.ts';
import { changeFinishers } from './changes/change-finishers.ts';
import { ladderFinishers } from './ladder/run-ladder.ts';
import { finishPurchase } from './purchases/finish-purchase.ts';
import { refundAndCancelKind, refundKind } from './refunds/refund-kind.ts';
import { finishEmailChange } from './sync-customer-emails.ts';

/** How the dispatcher continues open calls to Stripe, by kind. */
export const finishers = collectFinishers([
  ['subscribe', finishPurchase],
  ['checkout', finishPurchase],
  ['refund', makeFinisher(refundKind)],
  [refundAndCancelKind.name, makeFinisher(refundAndCancelKind)],
  ['pack', finishPurchase],
  ...changeFinishers,
  ...ladderFinishers,
  ['email', finishEmailChange],
]);
