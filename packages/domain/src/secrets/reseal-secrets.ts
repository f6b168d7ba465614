import { findSettings } from '@uprez/db/queries/instance/instance';
import {
  listSealedTexts,
  replaceSealedPassword,
  replaceSealedText,
  type SealedColumn,
} from '@uprez/db/queries/instance/sealed-secrets';
import { twoFactorPurpose } from '../accounts/two-factor-codes.ts';
import { targetPurpose } from '../batches/deliver-result.ts';
import type { Needs } from '../context.ts';
import { imageUrlSecretPurpose as imageUrlPurpose } from '../image-urls/image-url-settings.ts';
import { smtpPurpose } from '../settings/open-settings.ts';
import { probeAccountFact } from '../status/probing/probe-account.ts';
import { webhookSecretPurpose as webhookPurpose } from '../webhooks/get-webhook.ts';

/**
 * `purposeOf`: returns the purpose of the secret in a row, by the row's key. Returns undefined for a row without a
 * sealed secret.
 */
type SealedField = SealedColumn & { name: string; purposeOf: (id: string) => string | undefined };

/**
 * All columns that contain secrets sealed with VAULT_SECRET. The password of the mail server isn't included, because it
 * is stored in the settings.
 */
export const sealedColumns: readonly SealedField[] = [
  { name: 'two-factor secret', table: 'users', key: 'id', column: 'twoFactorSecret', purposeOf: twoFactorPurpose },
  { name: 'webhook secret', table: 'webhookEndpoints', key: 'id', column: 'secret', purposeOf: () => webhookPurpose },
  {
    name: 'former webhook secret',
    table: 'webhookEndpoints',
    key: 'id',
    column: 'formerSecret',
    purposeOf: () => webhookPurpose,
  },
  {
    name: 'image URL secret',
    table: 'imageUrlSettings',
    key: 'accountId',
    column: 'secret',
    purposeOf: () => imageUrlPurpose,
  },
  {
    name: 'former image URL secret',
    table: 'imageUrlSettings',
    key: 'accountId',
    column: 'formerSecret',
    purposeOf: () => imageUrlPurpose,
  },
  { name: 'delivery target', table: 'resultDeliveries', key: 'itemId', column: 'target', purposeOf: targetPurpose },
  {
    name: 'status probe account',
    table: 'instance',
    key: 'name',
    column: 'value',
    purposeOf: (name) => (name === probeAccountFact ? probeAccountFact : undefined),
  },
];

/**
 * `total`: number of stored secrets. `resealed`: number of secrets that were sealed with a previous VAULT_SECRET.
 * `unreadable`: names of secrets that no known VAULT_SECRET can open.
 */
type ResealReport = { total: number; resealed: number; unreadable: string[] };

const pageSize = 500;

type FoundSecret = { name: string; sealed: string; purpose: string; replace: (to: string) => Promise<boolean> };

/**
 * Seals every stored secret with the current VAULT_SECRET. Services may keep running. They also seal with the current
 * VAULT_SECRET, so a secret that changes in the meantime is skipped. Idempotent.
 */
export async function resealSecrets(ctx: Needs<'db' | 'vault'>): Promise<ResealReport> {
  const report: ResealReport = { total: 0, resealed: 0, unreadable: [] };
  for await (const found of listSealedSecrets(ctx)) {
    report.total += 1;
    const outcome = await resealSecret(ctx, found);
    if (outcome === 'resealed') report.resealed += 1;
    if (outcome === 'unreadable') report.unreadable.push(found.name);
  }
  return report;
}

async function resealSecret({ vault }: Needs<'vault'>, { sealed, purpose, replace }: FoundSecret) {
  let to: string | undefined;
  try {
    to = vault.reseal(sealed, purpose);
  } catch {
    return 'unreadable';
  }
  return to !== undefined && (await replace(to)) ? 'resealed' : 'current';
}

async function* listSealedSecrets({ db }: Needs<'db'>): AsyncGenerator<FoundSecret> {
  for (const column of sealedColumns) {
    for (let after: string | undefined; ; ) {
      const rows = await listSealedTexts(db, column, { after, limit: pageSize });
      for (const { id, sealed } of rows) {
        const purpose = column.purposeOf(id);
        const replace = (to: string) => replaceSealedText(db, column, { id, from: sealed, to });
        if (purpose) yield { name: `${column.name} of ${id}`, sealed, purpose, replace };
      }
      after = rows.at(-1)?.id;
      if (rows.length < pageSize) break;
    }
  }
  const sealed = (await findSettings(db, 'email'))?.smtpPassword;
  if (typeof sealed !== 'string' || sealed === '') return;
  const replace = (to: string) => replaceSealedPassword(db, { from: sealed, to });
  yield { name: 'password of the mail server', sealed, purpose: smtpPurpose, replace };
}
