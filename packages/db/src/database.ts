import type { Kysely, Transaction } from 'kysely';
import type { AccessTables } from './tables/access-tables.ts';
import type { AccountTables } from './tables/account-tables.ts';
import type { AnalyticsTables } from './tables/analytics-tables.ts';
import type { ApiKeyTables } from './tables/api-key-tables.ts';
import type { BillingTables } from './tables/billing-tables.ts';
import type { ContentTables } from './tables/content-tables.ts';
import type { CouponTables } from './tables/coupon-tables.ts';
import type { ImageUrlTables } from './tables/image-url-tables.ts';
import type { InstanceTables } from './tables/instance-tables.ts';
import type { JobTables, PoolTables } from './tables/job-tables.ts';
import type { NewsletterTables } from './tables/newsletter-tables.ts';
import type { PaymentTables } from './tables/payment-tables.ts';
import type { StatusTables } from './tables/status-tables.ts';
import type { TicketTables } from './tables/ticket-tables.ts';
import type { UsageTables } from './tables/usage-tables.ts';
import type { WebhookTables } from './tables/webhook-tables.ts';

export type Tables = AccessTables &
  AccountTables &
  AnalyticsTables &
  ApiKeyTables &
  BillingTables &
  ContentTables &
  CouponTables &
  ImageUrlTables &
  InstanceTables &
  JobTables &
  NewsletterTables &
  PaymentTables &
  PoolTables &
  TicketTables &
  StatusTables &
  UsageTables &
  WebhookTables;

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
export type DbOrTx = Db | Tx;
