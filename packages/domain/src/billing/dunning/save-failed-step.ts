import type { Tx } from '@uprez/db/database';
import { lockCustomer } from '@uprez/db/queries/billing/billing-customers';
import { type DueStep, saveDunningStep } from '@uprez/db/queries/billing/dunning';
import { queueBillingMail } from '../mails/queue-billing-mail.ts';
import { endOf, nextAttemptOf } from './dunning-days.ts';

/**
 * Notes that a renewal is still unpaid on a day of dunning, and queues the email of that day. Returns false if that was done
 * before.
 */
export async function saveFailedStep(tx: Tx, step: DueStep): Promise<boolean> {
  await lockCustomer(tx, step.customerId);
  if (!(await saveDunningStep(tx, step))) return false;
  const { accountId, invoiceId, day, needsAction, tier, due: amount, currency, pastDueAt } = step;
  const bill = { tier, amount, currency, endsAt: endOf(pastDueAt).toISOString() };
  const retryAt = nextAttemptOf(step, day)?.toISOString() ?? null;
  await queueBillingMail(tx, accountId, {
    key: `unpaid:${invoiceId}:${day}`,
    mail: needsAction ? { mail: 'payment_action_needed', ...bill } : { mail: 'payment_failed', ...bill, retryAt },
  });
  return true;
}
