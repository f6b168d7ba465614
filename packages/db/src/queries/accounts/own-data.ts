import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { isOfBegunSubscription, wasSubscriptionBegun } from '../billing/payments.ts';

// The data that an account may export about itself. Every column is named, so that a new column isn't exported until it
// is added here.

export const findOwnProfile = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'username',
      'firstName',
      'lastName',
      'role',
      'tier as plan',
      'planVersion',
      'emailVerified',
      'quotaEmails',
      'batchEmails',
      'createdAt',
      'twoFactorAt as twoFactorSince',
      'suspendedAt',
      'suspendedReason',
      'deletesAt',
    ])
    .select(
      sql<{ version: number; acceptedAt: string; address: string | null }[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('version', version, 'acceptedAt', accepted_at, 'address', address)
          order by version), '[]') from term_acceptances where user_id = users.id)`.as('acceptedTerms'),
    )
    .where('id', '=', userId)
    .executeTakeFirst();

export const listOwnSessions = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'userAgent as browser', 'address', 'createdAt as signedInAt', 'lastSeenAt', 'expiresAt as endsAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();

export const listOwnDevices = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('devices')
    .select(['userAgent as browser', 'createdAt as firstSeenAt', 'lastSeenAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();

/** Lists the times at which administrators viewed the web app as the user. */
export const listOwnViews = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('accountViews')
    .select(['startedAt', 'endsAt as endedAt'])
    .where('userId', '=', userId)
    .orderBy('startedAt')
    .execute();

/**
 * Lists the names of an account's passkeys. Omits their public keys, because they contain no information about the
 * owner.
 */
export const listOwnPasskeys = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();

export const listOwnApiKeys = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('apiKeys')
    .select([
      'id',
      'name',
      'kind',
      'preview',
      'scopes',
      'isActive',
      'createdAt',
      'expiresAt',
      'monthlyCap',
      'callsPerMinute',
      'addresses',
      'allowedOrigins',
      'usageCount',
      'lastUsedAt',
      'lastAddress',
    ])
    .where('accountId', '=', userId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .execute();

/** Lists an account's webhook endpoints without their signing secrets. */
export const listOwnWebhooks = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('webhookEndpoints')
    .select(['id', 'kind', 'url', 'description', 'events', 'isSandbox', 'isActive', 'disabledReason', 'createdAt'])
    .where('accountId', '=', userId)
    .orderBy('createdAt')
    .execute();

export const findOwnImageUrls = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('imageUrlSettings')
    .select(['keyId', 'isEnabled', 'hosts', 'rotatedAt'])
    .where('accountId', '=', userId)
    .executeTakeFirst();

/** Lists a page of an account's ledger, after the row with ID `after`. */
export const listOwnLedger = (db: DbOrTx, userId: string, after: number) =>
  db
    .selectFrom('ledger')
    .select(['id', 'jobId', 'kind', 'meter', 'units', 'reason', 'createdAt'])
    .where('accountId', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(500)
    .execute();

/** Lists an account's subscriptions, as last read from Stripe. */
export const listOwnSubscriptions = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'subscriptions.customerId')
    .select(['subscriptions.id', 'tier as plan', 'planVersion', 'interval', 'amount as cents', 'currency', 'status'])
    .select(['subscriptions.createdAt', 'periodStart', 'periodEnd', 'cancelAt', 'cancelFeedback', 'pausedUntil'])
    .select(['endedAt', 'cardBrand', 'cardLast4'])
    .where((eb) => eb.or([eb('customer.accountId', '=', userId), eb('customer.formerAccountId', '=', userId)]))
    .where(wasSubscriptionBegun('subscriptions'))
    .orderBy('subscriptions.createdAt')
    .execute();

/** Lists an account's invoices. Amounts are in cents. */
export const listOwnBills = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('invoices')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'invoices.customerId')
    .select(['invoices.id', 'number', 'status', 'currency', 'subtotal', 'discount', 'tax', 'total', 'paid', 'refunded'])
    .select(['subscriptionId', 'invoices.createdAt', 'paidAt'])
    .where((eb) => eb.or([eb('customer.accountId', '=', userId), eb('customer.formerAccountId', '=', userId)]))
    .where(isOfBegunSubscription)
    .orderBy('invoices.createdAt')
    .execute();

/** Lists a page of an account's batches, after the batch with ID `after`. */
export function listOwnBatches(db: DbOrTx, userId: string, after: string | undefined) {
  let query = db
    .selectFrom('batches')
    .select(['id', 'recipe', 'createdAt', 'cancelledAt', 'expiresAt'])
    .where('accountId', '=', userId);
  if (after) query = query.where('id', '>', after);
  return query.orderBy('id').limit(50).execute();
}

export const listOwnBatchItems = (db: DbOrTx, batchId: string) =>
  db
    .selectFrom('batchItems')
    .leftJoin('resultDeliveries as delivery', 'delivery.itemId', 'batchItems.id')
    .select([
      'id',
      'clientId',
      'name',
      'imageUrl',
      'relativePath',
      'sizeBytes',
      'batchItems.status',
      'engine',
      'jobId',
      'errorCode as error',
      'delivery.host as targetHost',
      'delivery.status as delivery',
      'deliveredAt',
    ])
    .where('batchId', '=', batchId)
    .orderBy('position')
    .execute();

/** Lists the changes that administrators made to an account, without the identity of the administrators. */
export const listOwnAudits = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('audits')
    .select(['action', 'before', 'after', 'reason', 'createdAt'])
    .where('subject', '=', `user:${userId}`)
    .where('rejected', 'is', null)
    .orderBy('createdAt')
    .execute();

/**
 * Lists the emails that were sent to an account. Leaves out emails to a requested new address, because they would
 * reveal whether that address is in use.
 */
export const listOwnMails = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('outbox')
    .select([sql<string>`payload->>'mail'`.as('mail'), 'createdAt', 'sentAt'])
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .where(sql`payload->>'mail'`, '<>', 'confirm_new_email')
    .orderBy('createdAt')
    .execute();

/** Lists the tickets that a user sent while signed in, with our replies but without the notes of administrators. */
export const listOwnTickets = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('tickets')
    .select(['number', 'kind', 'inquiryType', 'position', 'name', 'email', 'company', 'subject', 'createdAt'])
    .select(
      sql<{ from: string; text: string; createdAt: string }[]>`(
        select jsonb_agg(jsonb_build_object('from', case kind when 'reply' then 'support' else 'you' end,
          'text', text, 'createdAt', created_at) order by created_at, id)
        from ticket_messages where ticket_id = tickets.id and kind <> 'note')`.as('messages'),
    )
    .where('accountId', '=', userId)
    .orderBy('number')
    .execute();

/** Returns the newsletter subscription of a user's confirmed email address. */
export const findOwnSubscriber = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('subscribers')
    .innerJoin('users', (join) => join.on(sql`lower(users.email)`, '=', sql`lower(subscribers.email)`))
    .select(['subscribers.email', 'subscribers.state', 'topics', 'services', 'wantedTopics', 'wantedServices'])
    .select(['source', 'subscribers.createdAt', 'confirmedAt', 'endedAt'])
    .where('users.id', '=', userId)
    .where('users.emailVerified', '=', true)
    .executeTakeFirst();

export const listOwnTicketFiles = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('ticketFiles as file')
    .innerJoin('tickets', 'tickets.id', 'file.ticketId')
    .innerJoin('objects', (join) => join.onRef('objects.id', '=', 'file.objectId').on('objects.state', '=', 'stored'))
    .select(['file.id', 'file.mimeType', 'tickets.number', 'objects.key', 'objects.sha256'])
    .where('tickets.accountId', '=', userId)
    .orderBy('file.id')
    .execute();
