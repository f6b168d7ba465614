import { ApiError } from '@uprez/client/api-error';
import { useRef, useState } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { type SettingsScreen, settingsMessages as text } from './messages.ts';

type Stored = { version: number };
/** A save by another administrator since the form was loaded. `version`: the current version, or 0 if unknown. */
type Conflict = { version: number; message: string };

type SettingsFormOptions<Values extends FieldValues, Data extends Stored> = {
  screen: SettingsScreen;
  schema: z.ZodType<unknown, Values>;
  data: Data;
  toValues: (data: Data) => Values;
  read: () => Promise<Data>;
  /** Saves the values. `seen`: the version on which they are based. */
  write: (values: Values, seen: number) => Promise<Data>;
  /** Returns the title of the toast for certain changes, or undefined for the default title. */
  nameChange?: (before: Data, after: Data) => string | undefined;
};

function toConflict(error: unknown): Conflict {
  const { version, by, at } = (error instanceof ApiError ? error.meta : undefined) ?? {};
  const isNamed = typeof by === 'string' && typeof at === 'string';
  const message = isNamed ? text.conflict.by(by, formatTime(at)) : text.conflict.unknown;
  return { version: typeof version === 'number' ? version : 0, message };
}

/**
 * Manages a settings form. If another administrator saved in the meantime, keeps the typed values and lets the user
 * choose which ones to keep.
 */
export function useSettingsForm<Values extends FieldValues, Data extends Stored>({
  screen,
  schema,
  data,
  toValues,
  read,
  write,
  nameChange,
}: SettingsFormOptions<Values, Data>) {
  const [stored, setStored] = useState(data);
  const [conflict, setConflict] = useState<Conflict>();
  /** Version that `overwrite` replaces. Other saves are rejected while there is a conflict. */
  const replaced = useRef<number>(undefined);
  const show = (next: Data) => {
    setStored(next);
    setConflict(undefined);
    form.reset(toValues(next));
  };
  /** Returns whether the values were saved. */
  const save = async (values: Values, seen: number): Promise<boolean> => {
    try {
      const next = await write(values, seen);
      showToast({ title: nameChange?.(stored, next) ?? text.success, description: text.saved[screen] });
      show(next);
      return true;
    } catch (error) {
      if (!hasErrorCode(error, 'settings_changed')) throw error;
      setConflict(toConflict(error));
      return false;
    }
  };
  const form = useApiForm<Values>({
    schema,
    defaultValues: toValues(data) as DefaultValues<Values>,
    failure: text.failed[screen],
    send: (values) => save(values, replaced.current ?? stored.version),
  });
  return {
    form,
    stored,
    conflict,
    isDirty: form.formState.isDirty,
    /** Returns whether all values are valid, and shows the errors of invalid ones. */
    validate: () => form.trigger(),
    discard: () => show(stored),
    overwrite: async () => {
      replaced.current = conflict?.version;
      await form.submit();
      replaced.current = undefined;
    },
    loadNew: async () => show(await read()),
  };
}

export type SettingsForm = Omit<ReturnType<typeof useSettingsForm>, 'form' | 'stored'> & {
  form: Pick<ReturnType<typeof useApiForm>, 'submit' | 'isSubmitting' | 'error' | 'failure'>;
};
