import type {
  BillingSettings,
  EmailSettingsBody,
  SecuritySettings,
  SeoSettings,
  SiteSettings,
} from '@uprez/contracts/schemas/admin/settings';
import type { JobSettings } from '@uprez/contracts/schemas/admin/workers';
import type { Db } from '@uprez/db/database';
import type { FetchNetwork } from '@uprez/guarded-fetch/fetch-guarded';
import type { Payments } from '@uprez/payments/open-payments';
import type { JobPublisher } from '@uprez/queue/open-job-channel';
import type { WakeQueue } from '@uprez/queue/open-queue';
import type { Storage } from '@uprez/storage/storage';
import type { Vault } from './vault.ts';

export type Log = Record<'info' | 'warn' | 'error', (facts: object, message: string) => void>;

export type SettingsByName = {
  site: SiteSettings;
  email: EmailSettingsBody;
  security: SecuritySettings;
  billing: BillingSettings;
  jobs: JobSettings;
  seo: SeoSettings;
};
/** Settings that administrators edit in a form. Earlier versions are kept. */
export type FormSettings = Exclude<keyof SettingsByName, 'jobs'>;

export type Settings = {
  /** Reads the current settings. Stored values override the initial ones. */
  read: <Name extends keyof SettingsByName>(name: Name) => Promise<SettingsByName[Name]>;
  /** Merges stored values over the initial ones, and decrypts the mail server's password. */
  merge: <Name extends keyof SettingsByName>(name: Name, stored?: Record<string, unknown>) => SettingsByName[Name];
  /** Discards the cached values after a write by this process. */
  forget: (name: keyof SettingsByName) => void;
};

type Everything = {
  db: Db;
  storage: Storage;
  payments: Payments;
  queue: Pick<WakeQueue, 'wake'>;
  publisher: Pick<JobPublisher, 'publish' | 'addCost'>;
  log: Log;
  vault: Vault;
  settings: Settings;
  /** Network through which images are fetched by URL. Undefined for the public internet. */
  network: FetchNetwork | undefined;
};

/** The first parameter of a domain function. Lists exactly the services that the function uses. */
export type Needs<Names extends keyof Everything> = Pick<Everything, Names>;
