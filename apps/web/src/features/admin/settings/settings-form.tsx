import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import { Link } from 'react-router';
import type * as z from 'zod';
import { hasErrorCode, showErrorToast } from '../../../lib/api/api-errors.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { PageTabs } from '../frame/page-tabs.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { type SettingsScreen, type SettingsTab, settingsMessages as text } from './messages.ts';

function ConflictNotice({ settings: { conflict, loadNew, overwrite, form } }: { settings: SettingsForm }) {
  if (!conflict) return null;
  return (
    <div className="sticky bottom-0 z-10 border-line border-t bg-page py-3">
      <Notice kind="danger">
        <p>
          {conflict.message} {text.conflict.kept}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button
            size="small"
            look="secondary"
            onClick={() => void loadNew().catch((error) => showErrorToast(text.failure, error))}
          >
            {text.conflict.load}
          </Button>
          <Button size="small" look="danger" pending={form.isSubmitting} onClick={() => void overwrite()}>
            {text.conflict.overwrite}
          </Button>
        </div>
      </Notice>
    </div>
  );
}

type FrameProps = {
  settings: SettingsForm;
  /** Permission required to save. */
  permission?: Permission;
  /** Undefined to save without asking. */
  question?: { title: string; text: string; confirm: string } | undefined;
  children: ReactNode;
};

/** A form of settings with its own Save. Roles that can't save see its values. */
export function SettingsFormFrame({ settings, permission = 'settings.manage', question, children }: FrameProps) {
  const [isAsking, setAsking] = useState(false);
  const mayManage = useHasPermission(permission);
  const { form, isDirty, conflict, discard } = settings;
  // Shows validation errors instead of the confirmation dialog, because invalid values wouldn't be saved.
  const ask = async (event: FormEvent) => {
    event.preventDefault();
    if (await settings.validate()) setAsking(true);
    else await form.submit();
  };
  return (
    <form onSubmit={question ? (event) => void ask(event) : form.submit} noValidate className="grid gap-5">
      {!mayManage && <Notice kind="info">{text.readOnly}</Notice>}
      <fieldset disabled={!mayManage} className="grid min-w-0 gap-5">
        {children}
      </fieldset>
      <FormError form={form} />
      <ConflictNotice settings={settings} />
      {mayManage && !conflict && (
        <div className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-3 border-line border-t bg-page py-3">
          <p role="status" className="mr-auto text-muted text-sm">
            {isDirty && text.unsaved}
          </p>
          {isDirty && (
            <Button look="secondary" onClick={discard}>
              {text.discard}
            </Button>
          )}
          <Button type="submit" pending={form.isSubmitting}>
            {text.save}
          </Button>
        </div>
      )}
      {question && (
        <ConfirmDialog
          {...question}
          open={isAsking}
          onOpenChange={setAsking}
          onConfirm={() => {
            setAsking(false);
            void form.submit();
          }}
        />
      )}
    </form>
  );
}

type StoredSettings = { version: number };
/** A save by another administrator since the form was loaded. `version`: the current version, or 0 if unknown. */
type Conflict = { version: number; message: string };

type SettingsFormOptions<Values extends FieldValues, Data extends StoredSettings> = {
  screen: SettingsScreen;
  schema: z.ZodType<unknown, Values>;
  data: Data;
  toValues: (data: Data) => Values;
  read: () => Promise<Data>;
  /** Saves the values. `seen`: the version on which they are based. */
  write: (values: Values, seen: number) => Promise<Data>;
  /** Returns the toast's title for certain changes, or undefined to use the default title. */
  nameChange?: (before: Data, after: Data) => string | undefined;
};

function toConflict(error: unknown): Conflict {
  const { version, by, at } = (error instanceof ApiError ? error.meta : undefined) ?? {};
  const isNamed = typeof by === 'string' && typeof at === 'string';
  const message = isNamed ? text.conflict.by(by, formatDateTime(at)) : text.conflict.unknown;
  return { version: typeof version === 'number' ? version : 0, message };
}

/**
 * Manages a settings form. If another administrator saved in the meantime, keeps the typed values and lets the user
 * choose which ones to keep.
 */
export function useSettingsForm<Values extends FieldValues, Data extends StoredSettings>({
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
  /**
   * Version that `overwrite` replaces. Undefined for other saves, which the API rejects if a newer version is stored.
   */
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

type SettingsForm = Omit<ReturnType<typeof useSettingsForm>, 'form' | 'stored'> & {
  form: Pick<ReturnType<typeof useApiForm>, 'submit' | 'isSubmitting' | 'error' | 'failure'>;
};

const pageOf = {
  site: adminPages.settings,
  seo: adminPages.settingsSeo,
  email: adminPages.settingsEmail,
} as const satisfies Record<SettingsTab, string>;
const tabs = (Object.keys(pageOf) as SettingsTab[]).map((screen) => ({ label: text.tabs[screen], to: pageOf[screen] }));

export const toHistoryPath = (name: string): string => adminPages.settingsHistory.replace(':name', name);

type SettingsFrameProps<Data> = { screen: SettingsTab; path: string; children: (data: Data) => ReactNode };

/** Loads the values when it opens, and doesn't refetch them while they are being edited. */
export function SettingsFrame<Data>({ screen, path, children }: SettingsFrameProps<Data>) {
  const query: UseQueryResult<Data> = useQuery<Data>({ queryKey: [path], gcTime: 0 });
  return (
    <AdminPage
      title={text.title}
      subtitle={text.subtitle}
      actions={
        <Link to={toHistoryPath(screen)} className={buttonStyle({ look: 'secondary' })}>
          {text.history}
        </Link>
      }
    >
      <PageTabs label={text.tabsLabel} tabs={tabs} />
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {children}
      </QueryView>
    </AdminPage>
  );
}
