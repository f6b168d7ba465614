import type { ApiKeyView, KeyKind, KeyScope } from '@uprez/contracts/schemas/api-keys';

/** What the form of a key holds while it is filled in. */
export type KeyDraft = {
  name: string;
  kind: KeyKind;
  scopes: readonly KeyScope[];
  /** `never`, `keep`, `date`, or a number of days. */
  expiry: string;
  /** The last day, `2026-11-05`, for `date`. */
  lastDay: string;
  monthlyCap: number | undefined;
  callsPerMinute: number | undefined;
  /** One address or network a line. */
  addresses: string;
};

export const emptyDraft: KeyDraft = {
  name: '',
  kind: 'live',
  scopes: ['process', 'read'],
  expiry: 'never',
  lastDay: '',
  monthlyCap: undefined,
  callsPerMinute: undefined,
  addresses: '',
};

/** A draft of a key as it is. */
export const draftOf = (key: ApiKeyView): KeyDraft => ({
  ...emptyDraft,
  name: key.name,
  expiry: key.expiresAt ? 'keep' : 'never',
  monthlyCap: key.monthlyCap ?? undefined,
  callsPerMinute: key.callsPerMinute ?? undefined,
  addresses: key.addresses.join('\n'),
});

const dayMs = 86_400_000;

/** The end that was chosen: null for none, undefined where it stays. A last day ends when it ends where the reader is. */
export function expiryOf({ expiry, lastDay }: Pick<KeyDraft, 'expiry' | 'lastDay'>, now: number) {
  if (expiry === 'never') return null;
  if (expiry === 'date') return lastDay ? new Date(`${lastDay}T23:59:59`).toISOString() : undefined;
  return expiry === 'keep' ? undefined : new Date(now + Number(expiry) * dayMs).toISOString();
}

const limitsOf = (draft: KeyDraft, now: number) => {
  const expiresAt = expiryOf(draft, now);
  return {
    name: draft.name.trim(),
    monthlyCap: draft.monthlyCap ?? null,
    callsPerMinute: draft.callsPerMinute ?? null,
    addresses: draft.addresses.split(/[\s,]+/).filter(Boolean),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
};

/** The body that makes a key. */
export const newKeyBody = (draft: KeyDraft, now: number) => ({
  ...limitsOf(draft, now),
  kind: draft.kind,
  scopes: [...draft.scopes],
});

/** The body that changes one. */
export const keyChangeBody = limitsOf;
