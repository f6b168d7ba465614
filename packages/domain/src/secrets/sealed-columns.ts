import type { SealedColumn } from '@uprez/db/queries/instance/sealed-secrets';
import { twoFactorPurpose } from '../accounts/two-factor-codes.ts';
import { targetPurpose } from '../batches/result-target.ts';
import { secretPurpose as imageUrlPurpose } from '../image-urls/image-signature.ts';
import { probeAccountFact } from '../status/probing/probe-account.ts';
import { secretPurpose as webhookPurpose } from '../webhooks/get-webhook.ts';

/** `purposeOf`: what a text was sealed for, by the key of its row; undefined for rows that aren't sealed. */
type Sealed = SealedColumn & { name: string; purposeOf: (id: string) => string | undefined };

/** Every column of texts that VAULT_SECRET seals. The password of the mail server is in the settings. */
export const sealedColumns: readonly Sealed[] = [
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
