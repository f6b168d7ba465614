import { useInfiniteQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { limits } from '@uprez/contracts/policy/limits';
import type { Permission } from '@uprez/contracts/policy/permissions';
import type { SettingsVersionView } from '@uprez/contracts/schemas/settings-versions';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AccessDenied } from '../../features/admin/frame/access-denied.tsx';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { useOwnUser } from '../../features/admin/frame/use-own-user.ts';
import { settingsMessages } from '../../features/admin/settings/messages.ts';
import { VersionCard } from '../../features/admin/settings/version-card.tsx';
import { errorMessage } from '../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { MoreButton, Skeleton } from '../../ui/feedback/query-view.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { NotFoundPage } from '../not-found.tsx';

const { versions: text } = settingsMessages;
type Name = keyof typeof text.names;

const backTo: Record<Name, string> = {
  site: adminPages.settings,
  seo: adminPages.settingsSeo,
  email: adminPages.settingsEmail,
  security: adminPages.security,
  billing: adminPages.prices,
};
const ofSite = { read: 'settings.read', manage: 'settings.manage' } as const;
const permissions: Record<Name, Record<'read' | 'manage', Permission>> = {
  ...{ site: ofSite, seo: ofSite, email: ofSite },
  security: { read: 'security.manage', manage: 'security.manage' },
  billing: { read: 'payments.read', manage: 'payments.manage' },
};

type RestoreProps = { name: Name; version: number; seen: number; onClose: () => void };

function RestoreDialog({ name, version, seen, onClose }: RestoreProps) {
  const restore = useResourceMutation({
    call: async () => (await adminApi.adminRestoreSettings({ params: { name }, body: { version, seen } })).data,
    invalidates: [[adminRoutes.adminListSettingsVersions.path, name]],
    errorTitle: text.restoreFailed,
    // If another administrator was faster, the list behind the dialog shows the new version.
    onError: onClose,
    onSuccess: () => {
      showToast({ title: text.restoreDone(version) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.restoreTitle(version)}
      text={name === 'email' ? `${text.restoreText} ${text.restoreSecrets}` : text.restoreText}
      confirm={text.restore}
      pending={restore.isPending}
      onConfirm={() => restore.mutate()}
    />
  );
}

function Versions({ name, versions }: { name: Name; versions: readonly SettingsVersionView[] }) {
  const mayManage = useMay(permissions[name].manage);
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

function History({ name }: { name: Name }) {
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
        <Link to={backTo[name]} className={buttonStyle({ look: 'secondary' })}>
          {text.back}
        </Link>
      }
    >
      {query.isError && <Notice kind="danger">{errorMessage(query.error)}</Notice>}
      {query.data ? (
        <Versions name={name} versions={query.data.pages.flat()} />
      ) : (
        !query.isError && <Skeleton className="h-64 rounded-card" />
      )}
      <MoreButton query={query} />
    </AdminPage>
  );
}

function PermittedHistory({ name }: { name: Name }) {
  const own = useOwnUser();
  return useMay(permissions[name].read) ? <History name={name} /> : <AccessDenied adminRole={own?.role ?? null} />;
}

/** The versions of settings, the newest first. */
export function SettingsHistoryPage() {
  const { name = '' } = useParams();
  return Object.hasOwn(text.names, name) ? <PermittedHistory key={name} name={name as Name} /> : <NotFoundPage />;
}
