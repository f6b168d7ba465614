import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ApiKeyStatus, type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { limits } from '@uprez/contracts/policy/limits';
import type { AnyKeyKind } from '@uprez/contracts/policy/sandbox';
import { type AdminApiKey, newServiceKeySchema } from '@uprez/contracts/schemas/admin/security';
import { formatCount } from '@uprez/contracts/texts/format';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { describeError, hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ConfirmCallDialog, FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { SecretDialog } from '../../../ui/overlays/secret-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { SecurityTabs } from '../frame/page-tabs.tsx';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';

const kinds: Record<AnyKeyKind, string> = { live: 'Live', test: 'Sandbox', service: 'Service' };
const statuses: Record<ApiKeyStatus, string> = {
  active: 'Active',
  inactive: 'Inactive',
  expired: 'Expired',
  unused: `Unused for ${limits.apiKeyUnusedDays} days`,
};

const text = {
  title: 'API Keys',
  subtitle: 'Keys of all accounts, and service keys of this installation',
  caption: 'API keys',
  search: 'Search keys and owners',
  filters: {
    status: { label: 'Status', all: 'All statuses', names: statuses },
    kind: { label: 'Type', all: 'All types', names: kinds },
  },
  name: 'Name',
  owner: 'Owner',
  preview: 'Key Preview',
  status: 'Status',
  usage: 'Usage (calls)',
  used: 'Last Used',
  created: 'Created',
  never: 'Never',
  kinds,
  statuses,
  service: 'Service key',
  createdBy: (email: string) => `Created by ${email}`,
  toggle: (name: string) => `Active: ${name}`,
  empty: { title: 'No API keys yet', text: 'Keys appear here when users create them.' },
  success: 'Success',
  error: 'Error',
  createDone: 'API key created successfully',
  createFailed: 'Failed to create API key',
  updated: 'API key updated successfully',
  updateFailed: 'Failed to update API key',
  copied: 'API key copied to clipboard',
  create: {
    open: 'Create service key',
    title: 'Create service key',
    text: 'For programs such as a monitor. Its scope admin:read can only read the totals at GET /v1/admin/stats.',
    name: 'Name',
    submit: 'Create key',
    pending: 'Creating...',
  },
  remove: {
    action: 'Delete key',
    title: (name: string) => `Delete "${name}"?`,
    text: (preview: string) => `Requests with ${preview} will fail immediately. This can't be undone.`,
    confirm: 'Delete key',
    failed: 'Failed to delete API key',
    done: (name: string) => `"${name}" was deleted`,
  },
} as const;

const columns: Column<AdminApiKey, ColumnOf<'apiKeys'>>[] = [
  { id: 'name', name: text.name, cell: (row) => <KeyNameCell row={row} /> },
  { id: 'owner', name: text.owner, cell: (row) => <OwnerCell row={row} /> },
  { id: 'preview', name: text.preview, cell: ({ keyPreview }) => <code className="text-xs">{keyPreview}</code> },
  { id: 'status', name: text.status, cell: (row) => <KeyStatusCell row={row} /> },
  { id: 'usage', name: text.usage, cell: ({ usageCount }) => formatCount(usageCount), sort: 'usage', isNumeric: true },
  {
    id: 'used',
    name: text.used,
    cell: ({ lastUsed }) => (lastUsed ? <TimeCell at={lastUsed} /> : text.never),
    sort: 'used',
  },
  { id: 'created', name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

export function ApiKeysPage() {
  const table = useTable(tables.apiKeys, { load: adminApi.adminListApiKeys });
  const [asked, setAsked] = useState<AdminApiKey>();
  const actionsOf = (key: AdminApiKey) => (
    <ActionsMenu
      label={adminMessages.table.actions(key.name)}
      items={[{ label: text.remove.action, icon: Trash2, danger: true, onSelect: () => setAsked(key) }]}
    />
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={<CreateServiceKey />}>
      <SecurityTabs />
      <DataTable text={text} filterTexts={text.filters} table={table} columns={columns} actions={actionsOf} />
      {asked && (
        <ConfirmCallDialog
          text={{
            title: text.remove.title(asked.name),
            text: text.remove.text(asked.keyPreview),
            confirm: text.remove.confirm,
          }}
          typed={asked.name}
          call={() => adminApi.adminDeleteApiKey({ params: { id: asked.id } })}
          refreshes={[listKey]}
          failed={(error) => showFailure(text.remove.failed, error)}
          done={{ title: text.success, description: text.remove.done(asked.name) }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </AdminPage>
  );
}

const newKeyText = text.create;

type Creation = ReturnType<typeof useCreateServiceKey>;

const CreateDialog = ({ create, onClose }: { create: Creation; onClose: () => void }) => (
  <FormCallDialog
    text={newKeyText}
    schema={newServiceKeySchema}
    initial={{ name: '' }}
    fields={[
      {
        ...{ name: 'name', label: newKeyText.name, maxLength: limits.nameLength },
        ...{ autoComplete: 'off', 'aria-required': true },
      },
    ]}
    call={(body) => create.mutateAsync(body)}
    failure={text.createFailed}
    onClose={onClose}
  />
);

/** Creates a service key, and shows its secret once. */
function CreateServiceKey() {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<{ name: string; secret: string }>();
  const create = useCreateServiceKey(setCreated);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {newKeyText.open}
      </Button>
      {isOpen && <CreateDialog create={create} onClose={() => setOpen(false)} />}
      <SecretDialog
        created={created}
        isPending={create.isPending}
        onCopied={() => showToast({ title: text.success, description: text.copied })}
        onDone={() => setCreated(undefined)}
      />
    </>
  );
}

type Row = { row: AdminApiKey };

const KeyNameCell = ({ row: { name, kind } }: Row) => (
  <span className="grid">
    <span className="font-medium">{name}</span>
    <span className="text-muted text-xs">{text.kinds[kind]}</span>
  </span>
);

/** For a service key, shows who created it. */
function OwnerCell({ row: { owner, creator } }: Row) {
  const note = owner ? owner.name && owner.email : creator && text.createdBy(creator.email);
  return (
    <span className="grid justify-items-end sm:justify-items-start">
      {owner ? (
        <Link
          to={userPath(owner.id)}
          className="rounded-control underline decoration-line underline-offset-4 hover:decoration-current"
        >
          {owner.name ?? owner.email}
        </Link>
      ) : (
        text.service
      )}
      {note && <span className="text-muted text-xs">{note}</span>}
    </span>
  );
}

function KeyStatusCell({ row: { id, name, isActive, isExpired } }: Row) {
  const toggle = useToggleKey(id);
  if (isExpired) return <Badge kind="neutral">{text.statuses.expired}</Badge>;
  return (
    <span className="inline-flex items-center gap-2">
      <Switch label={text.toggle(name)} labelHidden checked={isActive} onChange={(on) => toggle.mutate(on)} />
      <Badge kind={isActive ? 'success' : 'neutral'}>{isActive ? text.statuses.active : text.statuses.inactive}</Badge>
    </span>
  );
}

const listKey = [adminRoutes.adminListApiKeys.path] as const;

const toggleKey = ['toggle', ...listKey];

type Pages = InfiniteData<{ rows: AdminApiKey[] }>;

const makeActiveUpdater = (id: string, isActive: boolean) => (data: Pages | undefined) =>
  data && {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      rows: page.rows.map((row) => (row.id === id ? { ...row, isActive } : row)),
    })),
  };

/** Does nothing if the session has ended, because the page redirects to the sign-in page. */
function showFailure(what: string, error: unknown): void {
  if (hasErrorCode(error, 'not_signed_in')) return;
  showToast({ title: text.error, description: `${what}. ${describeError(error)}`, destructive: true });
}

/** Activates or deactivates a key. The table is updated optimistically, and reverted if the call fails. */
function useToggleKey(id: string) {
  const queryClient = useQueryClient();
  const show = (isActive: boolean) =>
    queryClient.setQueriesData<Pages>({ queryKey: listKey }, makeActiveUpdater(id, isActive));
  return useResourceMutation<unknown, boolean>({
    mutationKey: toggleKey,
    // Toggles of one key run in sequence, so the last one wins.
    scope: { id: `toggle ${id}` },
    call: (isActive) => adminApi.adminToggleApiKey({ params: { id }, body: { isActive } }),
    onMutate: async (isActive) => {
      // Cancels fetches in progress, because their responses would revert the switch.
      await queryClient.cancelQueries({ queryKey: listKey });
      show(isActive);
    },
    onSuccess: () => showToast({ title: text.success, description: text.updated }),
    onError: (error, isActive) => {
      show(!isActive);
      showFailure(text.updateFailed, error);
    },
    onSettled: async () => {
      // If other toggles are pending, the last one refetches the table.
      if (queryClient.isMutating({ mutationKey: toggleKey }) <= 1)
        await queryClient.invalidateQueries({ queryKey: listKey });
    },
  });
}

/** Creates a service key. The call returns its secret, which isn't cached. */
function useCreateServiceKey(onCreated: (created: { name: string; secret: string }) => void) {
  const queryClient = useQueryClient();
  return useResourceMutation({
    call: async (body: { name: string }): Promise<void> => {
      const { name, key: secret } = (await adminApi.adminCreateServiceKey({ body })).data;
      onCreated({ name, secret });
      showToast({ title: text.success, description: text.createDone });
    },
    // Not awaited: the key is shown before the table is refetched.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: listKey }),
  });
}
