import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { isOfBegun, wasBegun } from '../billing/payments.ts';

// What an account may read of itself. Every column is named: a new one is in no export before somebody put it there.

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

/** When administrators saw the web app as the user. */
export const listOwnViews = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('accountViews')
    .select(['startedAt', 'endsAt as endedAt'])
    .where('userId', '=', userId)
    .orderBy('startedAt')
    .execute();

/** What the passkeys of an account are called; their public keys say nothing about the owner. */
export const listOwnPasskeys = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();

/** What the keys of an account are called and may do; their secrets are nowhere. */
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

/** Where the events of an account go; the secrets that sign them are left out. */
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

/** A page of an account's ledger, after the row with this id. */
export const listOwnLedger = (db: DbOrTx, userId: string, after: number) =>
  db
    .selectFrom('ledger')
    .select(['id', 'jobId', 'kind', 'meter', 'units', 'reason', 'createdAt'])
    .where('accountId', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(500)
    .execute();

/** What an account bought, as it was read from Stripe last. */
export const listOwnSubscriptions = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'subscriptions.customerId')
    .select(['subscriptions.id', 'tier as plan', 'planVersion', 'interval', 'amount as cents', 'currency', 'status'])
    .select(['subscriptions.createdAt', 'periodStart', 'periodEnd', 'cancelAt', 'cancelFeedback', 'pausedUntil'])
    .select(['endedAt', 'cardBrand', 'cardLast4'])
    .where((eb) => eb.or([eb('customer.accountId', '=', userId), eb('customer.formerAccountId', '=', userId)]))
    .where(wasBegun('subscriptions'))
    .orderBy('subscriptions.createdAt')
    .execute();

/** An account's bills. Amounts are cents. */
export const listOwnBills = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('invoices')
    .innerJoin('billingCustomers as customer', 'customer.stripeId', 'invoices.customerId')
    .select(['invoices.id', 'number', 'status', 'currency', 'subtotal', 'discount', 'tax', 'total', 'paid', 'refunded'])
    .select(['subscriptionId', 'invoices.createdAt', 'paidAt'])
    .where((eb) => eb.or([eb('customer.accountId', '=', userId), eb('customer.formerAccountId', '=', userId)]))
    .where(isOfBegun)
    .orderBy('invoices.createdAt')
    .execute();

/** A page of an account's batches, after the one with this id. */
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

/** What administrators changed of an account; who they were is their own affair. */
export const listOwnAudits = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('audits')
    .select(['action', 'before', 'after', 'reason', 'createdAt'])
    .where('subject', '=', `user:${userId}`)
    .where('rejected', 'is', null)
    .orderBy('createdAt')
    .execute();

/** Emails to an account, without those to a requested new address: they would reveal whether it is in use. */
export const listOwnMails = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('outbox')
    .select([sql<string>`payload->>'mail'`.as('mail'), 'createdAt', 'sentAt'])
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .where(sql`payload->>'mail'`, '<>', 'confirm_new_email')
    .orderBy('createdAt')
    .execute();

/** The messages that a user sent while signed in, with our replies, but without the notes of administrators. */
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

/** The subscription of a user's confirmed email address. */
export const findOwnSubscriber = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('subscribers')
    .innerJoin('users', (join) => join.on(sql`lower(users.email)`, '=', sql`lower(subscribers.email)`))
    .select(['subscribers.email', 'subscribers.state', 'topics', 'services', 'wantedTopics', 'wantedServices'])
    .select(['source', 'subscribers.createdAt', 'confirmedAt', 'endedAt'])
    .where('users.id', '=', userId)
    .where('users.emailVerified', '=', true)
    .executeTakeFirst();

/** The stored files that a user attached to these messages. */
export const listOwnTicketFiles = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('ticketFiles as file')
    .innerJoin('tickets', 'tickets.id', 'file.ticketId')
    .innerJoin('objects', (join) => join.onRef('objects.id', '=', 'file.objectId').on('objects.state', '=', 'stored'))
    .select(['file.id', 'file.mimeType', 'tickets.number', 'objects.key', 'objects.sha256'])
    .where('tickets.accountId', '=', userId)
    .orderBy('file.id')
    .execute();
