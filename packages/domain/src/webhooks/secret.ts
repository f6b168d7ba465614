import { randomBytes } from 'node:crypto';
import { webhookSecretPrefix } from '@uprez/contracts/schemas/webhook-events';

const secretBytes = 32;
/** What the vault binds the secrets of endpoints to. */
export const secretPurpose = 'webhook secret';

export const makeSecret = (): string => webhookSecretPrefix + randomBytes(secretBytes).toString('base64');
