import type { KeyKind } from '@uprez/contracts/policy/sandbox';
import { type ApiKeyView, apiKeyChangeSchema, type KeyScope, newApiKeySchema } from '@uprez/contracts/schemas/api-keys';
import * as z from 'zod';
import type { useApiForm } from '../../lib/forms/use-api-form.ts';

/** The values of an API key form. Fields are named as in the API, so that errors are shown at their fields. */
export type KeyDraft = {
  name: string;
  kind: KeyKind;
  scopes: readonly KeyScope[];
  /** `never`, `keep`, `date`, or a number of days. */
  expiresAt: string;
  /** The last valid day if `expiresAt` is `date`: `2026-11-05`. */
  lastDay: string;
  monthlyCap: number | undefined;
  callsPerMinute: number | undefined;
  addresses: string;
  allowedOrigins: string;
};
export type KeyForm = ReturnType<typeof useApiForm<KeyDraft>>;

export const emptyDraft: KeyDraft = {
  name: '',
  kind: 'live',
  scopes: ['process', 'read'],
  expiresAt: 'never',
  lastDay: '',
  monthlyCap: undefined,
  callsPerMinute: undefined,
  addresses: '',
  allowedOrigins: '',
};

export const draftOf = (key: ApiKeyView): KeyDraft => ({
  ...emptyDraft,
  name: key.name,
  expiresAt: key.expiresAt ? 'keep' : 'never',
  monthlyCap: key.monthlyCap ?? undefined,
  callsPerMinute: key.callsPerMinute ?? undefined,
  addresses: key.addresses.join('\n'),
  allowedOrigins: key.allowedOrigins.join('\n'),
});

const dayMs = 86_400_000;

/**
 * Returns the chosen expiry: null for none, undefined for no change. A chosen day ends at midnight in the browser's
 * time zone.
 */
export function expiryOf({ expiresAt, lastDay }: Pick<KeyDraft, 'expiresAt' | 'lastDay'>, now: number) {
  if (expiresAt === 'never') return null;
  if (expiresAt === 'date') return lastDay ? new Date(`${lastDay}T23:59:59`).toISOString() : undefined;
  return expiresAt === 'keep' ? undefined : new Date(now + Number(expiresAt) * dayMs).toISOString();
}

const splitList = (text: string) => text.split(/[\s,]+/).filter(Boolean);

export function keyChangeBody(draft: KeyDraft, now: number) {
  const expiresAt = expiryOf(draft, now);
  return {
    name: draft.name.trim(),
    monthlyCap: draft.monthlyCap ?? null,
    callsPerMinute: draft.callsPerMinute ?? null,
    addresses: splitList(draft.addresses),
    allowedOrigins: splitList(draft.allowedOrigins),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

export const newKeyBody = (draft: KeyDraft, now: number) => ({
  ...keyChangeBody(draft, now),
  kind: draft.kind,
  scopes: [...draft.scopes],
});

const draftSchema = z.custom<KeyDraft>();

/** Schemas of the forms for a new key and an existing key. */
export const newKeySchema = draftSchema
  .transform((draft): z.input<typeof newApiKeySchema> => newKeyBody(draft, Date.now()))
  .pipe(newApiKeySchema);
export const keyChangeSchema = draftSchema
  .transform((draft): z.input<typeof apiKeyChangeSchema> => keyChangeBody(draft, Date.now()))
  .pipe(apiKeyChangeSchema);
