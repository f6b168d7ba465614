import { type BillingSettings, billingSettingsSchema } from '@uprez/contracts/schemas/admin/settings';
import type { DbOrTx } from '@uprez/db/database';
import { findSettings } from '@uprez/db/queries/instance/instance';

/** Reads the stored billing settings. Bypasses the settings cache. */
export const readBillingSettings = async (db: DbOrTx): Promise<BillingSettings> =>
  billingSettingsSchema.parse((await findSettings(db, 'billing')) ?? {});
