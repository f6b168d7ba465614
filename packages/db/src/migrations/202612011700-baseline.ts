import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';
import { accessTables } from './baseline/access.ts';
import { accountTables } from './baseline/account.ts';
import { analyticsTables } from './baseline/analytics.ts';
import { apiKeyTables } from './baseline/api-key.ts';
import { billingTables } from './baseline/billing.ts';
import { contentTables } from './baseline/content.ts';
import { couponTables } from './baseline/coupon.ts';
import { imageUrlTables } from './baseline/image-url.ts';
import { instanceTables } from './baseline/instance.ts';
import { jobTableStatements } from './baseline/job.ts';
import { newsletterTables } from './baseline/newsletter.ts';
import { paymentTables } from './baseline/payment.ts';
import { poolTables } from './baseline/pool.ts';
import { statusTables } from './baseline/status.ts';
import { ticketTables } from './baseline/ticket.ts';
import { usageTables } from './baseline/usage.ts';
import { webhookTables } from './baseline/webhook.ts';

/** Tables come after the tables that they reference. */
const statements = [
  accountTables,
  apiKeyTables,
  jobTableStatements,
  usageTables,
  billingTables,
  paymentTables,
  couponTables,
  webhookTables,
  imageUrlTables,
  poolTables,
  accessTables,
  contentTables,
  statusTables,
  newsletterTables,
  ticketTables,
  instanceTables,
  analyticsTables,
].flat();

/** Schema as of 2026-12-01. Replaces the 79 migrations that previously created it. */
export const baseline: Migration = { up: runAll(statements) };
