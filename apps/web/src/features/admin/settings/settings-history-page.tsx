import { useInfiniteQuery } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import { limits } from '@uprez/contracts/policy/limits';
import type { SettingsVersionView } from '@uprez/contracts/schemas/admin/settings-versions';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import * as z from 'zod';
import { describeError, showErrorToast } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { PasswordField } from '../../../ui/controls/password-field.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { NotFoundPage } from '../../../ui/feedback/not-found-page.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { MoreButton, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { ChangesList } from '../audit/audit-entry.tsx';
import { AccessDenied, AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission, useOwnUser } from '../frame/use-own-user.ts';
import { settingsMessages } from './messages.ts';

const versionsText = settingsMessages.versions;

/** Leaves out the values of secrets, and shows only that they changed. */
const toChangeRow = (changes: SettingsVersionView['changes']) => ({
  before: Object.fromEntries(changes.flatMap(({ field, secret, before }) => (secret ? [] : [[field, before]]))),
  after: Object.fromEntries(changes.map(({ field, secret, after }) => [field, secret ? versionsText.changed : after])),
});

function authorOf({ author, version }: SettingsVersionView): string {
  if (author) return author.email;
  return version === 0 ? versionsText.system : versionsText.someone;
}

type VersionCardProps = { version: SettingsVersionView; isCurrent: boolean; onRestore: (() => void) | undefined };

function VersionCard({ version, isCurrent, onRestore }: VersionCardProps) {
  const { changes, restoredFrom } = version;
  return (
    <Card
      title={version.version === 0 ? versionsText.initial : versionsText.version(version.version)}
      actions={
        <>
          {isCurrent && <Badge kind="success">{versionsText.current}</Badge>}
          {onRestore && (
            <Button size="small" look="secondary" onClick={onRestore}>
              {versionsText.restore}
            </Button>
          )}
        </>
      }
    >
      <p className="text-muted text-sm wrap-anywhere">
        {`${authorOf(version)}, `}
        <time dateTime={version.at}>{formatDateTime(version.at)}</time>
        {restoredFrom !== null && `. ${versionsText.restored(restoredFrom)}`}
      </p>
      {changes.length > 0 && <ChangesList row={toChangeRow(changes)} shownChanges={changes.length} />}
    </Card>
  );
}

const { versions: text } = settingsMessages;
type SettingsName = keyof typeof text.names;

const parentPaths: Record<SettingsName, string> = {
  site: adminPages.settings,
  seo: adminPages.settingsSeo,
  email: adminPages.settingsEmail,
  security: adminPages.security,
  billing: adminPages.prices,
};
const sitePermissions = { read: 'settings.read', manage: 'settings.manage' } as const;
const permissions: Record<SettingsName, Record<'read' | 'manage', Permission>> = {
  ...{ site: sitePermissions, seo: sitePermissions },
  email: { read: 'settings.read', manage: 'mail.manage' },
  security: { read: 'security.manage', manage: 'security.manage' },
  billing: { read: 'payments.read', manage: 'payments.manage' },
};

type RestoreProps = { name: SettingsName; version: number; seen: number; onClose: () => void };

const passwordSchema = z.object({ smtpPassword: z.string() });

function RestoreDialog({ name, version, seen, onClose }: RestoreProps) {
  const [asksPassword, setAsksPassword] = useState(false);
  const restore = useResourceMutation({
    call: async (proof: { smtpPassword?: string | null }) =>
      (await adminApi.adminRestoreSettings({ params: { name }, body: { version, seen, ...proof } })).data,
    invalidates: [[adminRoutes.adminListSettingsVersions.path, name]],
    onError: (error) => {
      if (error instanceof ApiError && error.param === 'smtpPassword') return setAsksPassword(true);
      showErrorToast(text.restoreFailed, error);
      // Closes the dialog even after an error. If another administrator saved first, the refetched list shows the new
      // version.
      onClose();
    },
    onSuccess: () => {
      showToast({ title: text.restoreDone(version) });
      onClose();
    },
  });
  const form = useApiForm({
    schema: passwordSchema,
    defaultValues: { smtpPassword: '' },
    send: ({ smtpPassword }) => restore.mutateAsync({ smtpPassword: smtpPassword || null }),
  });
  if (asksPassword)
    return (
      <FormDialog
        title={text.restoreTitle(version)}
        description={text.restorePassword}
        form={form}
        text={{ submit: text.restore }}
        onClose={onClose}
      >
        <PasswordField
          label={text.smtpPassword}
          {...form.field('smtpPassword')}
          autoComplete="new-password"
          autoFocus
        />
      </FormDialog>
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.restoreTitle(version)}
      text={name === 'email' ? `${text.restoreText} ${text.restoreSecrets}` : text.restoreText}
      confirm={text.restore}
      pending={restore.isPending}
      onConfirm={() => restore.mutate({})}
    />
  );
}

function Versions({ name, versions }: { name: SettingsName; versions: readonly SettingsVersionView[] }) {
  const mayManage = useHasPermission(permissions[name].manage);
  const [restored, setRestored] = useState<number>();
  const seen = versions[0]?.version ?? 0;
  if (versions.length === 0) return <EmptyState {...text.none} />;
  return (
    <>
      {versions.map((version) => {
        const isCurrent = version.version === seen;
        const onRestore = mayManage && !isCurrent ? () => setRestored(version.version) : undefined;
        return <VersionCard key={version.version} {...{ version, isCurrent, onRestore }} />;
      })}
      {restored !== undefined && (
        <RestoreDialog {...{ name, seen }} version={restored} onClose={() => setRestored(undefined)} />
      )}
    </>
  );
}

function History({ name }: { name: SettingsName }) {
  const query = useInfiniteQuery({
    queryKey: [adminRoutes.adminListSettingsVersions.path, name],
    refetchOnMount: 'always',
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: cursor }) =>
      (await adminApi.adminListSettingsVersions({ params: { name }, query: cursor === undefined ? {} : { cursor } }))
        .data,
    getNextPageParam: (page) => (page.length < limits.pageRows ? undefined : page.at(-1)?.version),
  });
  return (
    <AdminPage
      title={text.title(text.names[name])}
      subtitle={text.subtitle}
      actions={
        <Link to={parentPaths[name]} className={buttonStyle({ look: 'secondary' })}>
          {text.back}
        </Link>
      }
    >
      {query.isError && <Notice kind="danger">{describeError(query.error)}</Notice>}
      {query.data ? (
        <Versions name={name} versions={query.data.pages.flat()} />
      ) : (
        !query.isError && <Skeleton className="h-64 rounded-card" />
      )}
      <MoreButton query={query} />
    </AdminPage>
  );
}

function PermittedHistory({ name }: { name: SettingsName }) {
  const own = useOwnUser();
  return useHasPermission(permissions[name].read) ? (
    <History name={name} />
  ) : (
    <AccessDenied adminRole={own?.role ?? null} />
  );
}

export function SettingsHistoryPage() {
  const { name = '' } = useParams();
  return Object.hasOwn(text.names, name) ? (
    <PermittedHistory key={name} name={name as SettingsName} />
  ) : (
    <NotFoundPage />
  );
}
