import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

// What an account may read of itself. Every column is named: a new one is in no export before somebody put it there.

export function findOwnProfile(db: DbOrTx, userId: string) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'username',
      'firstName as firstName',
      'lastName as lastName',
      'isAdmin as isAdmin',
      'tier as plan',
      'emailVerified as emailVerified',
      'createdAt as createdAt',
      'termsVersion as termsVersion',
      'termsAcceptedAt as termsAcceptedAt',
      'twoFactorAt as twoFactorSince',
      'suspendedAt as suspendedAt',
      'suspendedReason as suspendedReason',
      'deletesAt as deletesAt',
    ])
    .where('id', '=', userId)
    .executeTakeFirst();
}

export function listOwnSessions(db: DbOrTx, userId: string) {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'userAgent as browser',
      'address',
      'createdAt as signedInAt',
      'lastSeenAt as lastSeenAt',
      'expiresAt as endsAt',
    ])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
}

export function listOwnDevices(db: DbOrTx, userId: string) {
  return db
    .selectFrom('devices')
    .select(['userAgent as browser', 'createdAt as firstSeenAt', 'lastSeenAt as lastSeenAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
}

/** What the keys of an account are called and may do; their secrets are nowhere. */
export function listOwnApiKeys(db: DbOrTx, userId: string) {
  return db
    .selectFrom('apiKeys')
    .select([
      'id',
      'name',
      'kind',
      'preview',
      'scopes',
      'isActive as isActive',
      'createdAt as createdAt',
      'expiresAt as expiresAt',
      'monthlyCap as monthlyCap',
      'callsPerMinute as callsPerMinute',
      'addresses',
      'usageCount as usageCount',
      'lastUsedAt as lastUsedAt',
      'lastAddress as lastAddress',
    ])
    .where('accountId', '=', userId)
    .orderBy('createdAt')
    .execute();
}

/** Where the events of an account go; the secrets that sign them are left out. */
export function listOwnWebhooks(db: DbOrTx, userId: string) {
  return db
    .selectFrom('webhookEndpoints')
    .select([
      'id',
      'kind',
      'url',
      'description',
      'events',
      'isSandbox as isSandbox',
      'isActive as isActive',
      'disabledReason as disabledReason',
      'createdAt as createdAt',
    ])
    .where('accountId', '=', userId)
    .orderBy('createdAt')
    .execute();
}

/** A page of an account's ledger, after the row with this id. */
export function listOwnLedger(db: DbOrTx, userId: string, after: number) {
  return db
    .selectFrom('ledger')
    .select(['id', 'jobId as jobId', 'kind', 'meter', 'units', 'reason', 'createdAt as createdAt'])
    .where('accountId', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(500)
    .execute();
}

/** A page of an account's batches, after the one with this id. */
export function listOwnBatches(db: DbOrTx, userId: string, after: string | undefined) {
  let query = db
    .selectFrom('batches')
    .select(['id', 'recipe', 'createdAt as createdAt', 'cancelledAt as cancelledAt', 'expiresAt as expiresAt'])
    .where('accountId', '=', userId);
  if (after) query = query.where('id', '>', after);
  return query.orderBy('id').limit(50).execute();
}

export function listOwnBatchItems(db: DbOrTx, batchId: string) {
  return db
    .selectFrom('batchItems')
    .select([
      'id',
      'clientId as clientId',
      'name',
      'imageUrl as imageUrl',
      'relativePath as relativePath',
      'sizeBytes as sizeBytes',
      'status',
      'engine',
      'jobId as jobId',
      'errorCode as error',
    ])
    .where('batchId', '=', batchId)
    .orderBy('position')
    .execute();
}

/** What administrators changed of an account; who they were is their own affair. */
export function listOwnAudits(db: DbOrTx, userId: string) {
  return db
    .selectFrom('audits')
    .select(['action', 'before', 'after', 'reason', 'createdAt as createdAt'])
    .where('subject', '=', `user:${userId}`)
    .orderBy('createdAt')
    .execute();
}

/** Emails to an account, without those to a requested new address: they would reveal whether it is in use. */
export function listOwnMails(db: DbOrTx, userId: string) {
  return db
    .selectFrom('outbox')
    .select([sql<string>`payload->>'mail'`.as('mail'), 'createdAt as createdAt', 'sentAt as sentAt'])
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .where(sql`payload->>'mail'`, '<>', 'confirm_new_email')
    .orderBy('createdAt')
    .execute();
}
