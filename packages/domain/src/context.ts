import type { Db } from '@uprez/db/database';
import type { FetchNetwork } from '@uprez/guarded-fetch/fetch-guarded';
import type { JobPublisher } from '@uprez/queue/open-job-channel';
import type { WakeQueue } from '@uprez/queue/open-queue';
import type { Storage } from '@uprez/storage/storage';
import type { Settings } from './settings/open-settings.ts';
import type { Vault } from './vault.ts';

/** Where verbs say what went wrong beside their answer. */
export type Log = {
  info: (facts: object, message: string) => void;
  warn: (facts: object, message: string) => void;
  error: (facts: object, message: string) => void;
};

type Everything = {
  db: Db;
  storage: Storage;
  queue: Pick<WakeQueue, 'wake'>;
  publisher: Pick<JobPublisher, 'publish'>;
  log: Log;
  vault: Vault;
  settings: Settings;
  /** How images are fetched by URL; undefined: over the public internet. */
  network: FetchNetwork | undefined;
};

/** A verb's first parameter: exactly what it uses. */
export type Needs<Names extends keyof Everything> = Pick<Everything, Names>;
