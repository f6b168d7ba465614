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
      'first_name as firstName',
      'last_name as lastName',
      'is_admin as isAdmin',
      'tier as plan',
      'email_verified as emailVerified',
      'created_at as createdAt',
      'terms_version as termsVersion',
      'terms_accepted_at as termsAcceptedAt',
      'two_factor_at as twoFactorSince',
      'suspended_at as suspendedAt',
      'suspended_reason as suspendedReason',
      'deletes_at as deletesAt',
    ])
    .where('id', '=', userId)
    .executeTakeFirst();
}

export function listOwnSessions(db: DbOrTx, userId: string) {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'user_agent as browser',
      'address',
      'created_at as signedInAt',
      'last_seen_at as lastSeenAt',
      'expires_at as endsAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

export function listOwnDevices(db: DbOrTx, userId: string) {
  return db
    .selectFrom('devices')
    .select(['user_agent as browser', 'created_at as firstSeenAt', 'last_seen_at as lastSeenAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** What the keys of an account are called and may do; their secrets are nowhere. */
export function listOwnApiKeys(db: DbOrTx, userId: string) {
  return db
    .selectFrom('api_keys')
    .select([
      'id',
      'name',
      'kind',
      'preview',
      'scopes',
      'is_active as isActive',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'monthly_cap as monthlyCap',
      'calls_per_minute as callsPerMinute',
      'addresses',
      'usage_count as usageCount',
      'last_used_at as lastUsedAt',
      'last_address as lastAddress',
    ])
    .where('account_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** Where the events of an account go; the secrets that sign them are left out. */
export function listOwnWebhooks(db: DbOrTx, userId: string) {
  return db
    .selectFrom('webhook_endpoints')
    .select([
      'id',
      'kind',
      'url',
      'description',
      'events',
      'is_sandbox as isSandbox',
      'is_active as isActive',
      'disabled_reason as disabledReason',
      'created_at as createdAt',
    ])
    .where('account_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** A page of an account's ledger, after the row with this id. */
export function listOwnLedger(db: DbOrTx, userId: string, after: number) {
  return db
    .selectFrom('ledger')
    .select(['id', 'job_id as jobId', 'kind', 'meter', 'units', 'reason', 'created_at as createdAt'])
    .where('account_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(500)
    .execute();
}

/** A page of an account's batches, after the one with this id. */
export function listOwnBatches(db: DbOrTx, userId: string, after: string | undefined) {
  let query = db
    .selectFrom('batches')
    .select(['id', 'recipe', 'created_at as createdAt', 'cancelled_at as cancelledAt', 'expires_at as expiresAt'])
    .where('account_id', '=', userId);
  if (after) query = query.where('id', '>', after);
  return query.orderBy('id').limit(50).execute();
}

export function listOwnBatchItems(db: DbOrTx, batchId: string) {
  return db
    .selectFrom('batch_items')
    .select([
      'id',
      'client_id as clientId',
      'name',
      'image_url as imageUrl',
      'relative_path as relativePath',
      'size_bytes as sizeBytes',
      'status',
      'engine',
      'job_id as jobId',
      'error_code as error',
    ])
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .execute();
}

/** What administrators changed of an account; who they were is their own affair. */
export function listOwnAudits(db: DbOrTx, userId: string) {
  return db
    .selectFrom('audits')
    .select(['action', 'before', 'after', 'reason', 'created_at as createdAt'])
    .where('subject', '=', `user:${userId}`)
    .orderBy('created_at')
    .execute();
}

/**
 * Which mails an account was sent. Those to an address that it only asked for are not among them: they would tell whether
 * somebody else has it.
 */
export function listOwnMails(db: DbOrTx, userId: string) {
  return db
    .selectFrom('outbox')
    .select([sql<string>`payload->>'mail'`.as('mail'), 'created_at as createdAt', 'sent_at as sentAt'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'mail')
    .where(sql`payload->>'mail'`, '<>', 'confirm_new_email')
    .orderBy('created_at')
    .execute();
}
