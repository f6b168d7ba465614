import { useQuery } from '@tanstack/react-query';
import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatMoney } from '@uprez/contracts/texts/format';
import {
  BadgeDollarSign,
  Download,
  FileText,
  ImageUp,
  Keyboard,
  ListChecks,
  LogOut,
  type LucideIcon,
  Play,
  UserRound,
} from 'lucide-react';
import { useState } from 'react';
import { adminApi } from '../../features/admin/admin-api.ts';
import { postPath, userPath } from '../../features/admin/frame/admin-paths.ts';
import { jobPath } from '../../features/admin/jobs/links.ts';
import { adminMessages } from '../../features/admin/messages.ts';
import { useAuth } from '../../features/session/auth-provider.tsx';
import { themeChoices, themeIcons, useTheme } from '../../features/theme/theme-switch.tsx';
import { useDebounced } from '../../lib/browser/use-debounced.ts';
import { keyboardMessages, shortcuts } from '../../lib/shortcuts/shortcuts.ts';
import { canRunShortcut, triggerShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages } from '../../messages.ts';
import { type PaletteCommand, PaletteDialog } from './palette-dialog.tsx';
import { listAdminPages, listPages } from './palette-pages.ts';

const actionIcons = { upload: ImageUp, process: Play, download: Download, sheet: Keyboard } as const;
const navigation = messages.navigation;

function listActions(): PaletteCommand[] {
  return Object.entries(actionIcons).flatMap(([id, icon]) => {
    const shortcut = shortcuts.find((row) => row.id === id);
    if (!shortcut || !canRunShortcut(shortcut.id)) return [];
    const label = id === 'sheet' ? keyboardMessages.title : shortcut.label;
    return [{ ...shortcut, label, group: 'actions', icon, run: () => triggerShortcut(shortcut.id) }];
  });
}

export function SitePalette({ onClose }: { onClose: () => void }) {
  const { user, signOut } = useAuth();
  const { choose } = useTheme();
  const [search, setSearch] = useState('');
  const { rows, isSearching } = useFoundRows(search, user);
  const found = rows.map((row): PaletteCommand => ({ ...row, id: `found ${row.to}`, group: 'found', match: search }));
  const themes = themeChoices.map(
    (theme): PaletteCommand => ({
      id: `theme ${theme}`,
      group: 'theme',
      label: messages.footer.themes[theme],
      icon: themeIcons[theme],
      run: () => choose(theme),
    }),
  );
  const leave: PaletteCommand = {
    id: 'sign-out',
    group: 'actions',
    label: navigation.signOut,
    icon: LogOut,
    run: signOut,
  };
  const commands = [
    ...found,
    ...listActions(),
    ...(user ? [leave] : []),
    ...listPages(user),
    ...listAdminPages(user),
    ...themes,
  ];
  return <PaletteDialog commands={commands} onSearch={setSearch} isSearching={isSearching} onClose={onClose} />;
}

type FoundRow = { label: string; icon: LucideIcon; to: string };
type SearchRequest = { search: string; signal: AbortSignal };

const text = adminMessages.found;
/** Maximum number of results per kind. */
const limit = 5;
const debounceMs = 250;
const minSearchLength = 2;

async function findUsers({ search, signal }: SearchRequest): Promise<FoundRow[]> {
  const { data } = await adminApi.adminListUsers({ query: { search, limit }, signal });
  return data.map(({ id, email, firstName, lastName }) => ({
    label: text.user([firstName, lastName].filter(Boolean).join(' '), email),
    icon: UserRound,
    to: userPath(id),
  }));
}

async function findPayments({ search, signal }: SearchRequest): Promise<FoundRow[]> {
  const { data } = await adminApi.adminListTransactions({ query: { search, limit }, signal });
  return data.map(({ id, invoice, account, ...money }) => ({
    label: text.payment(invoice?.number ?? id, formatMoney(money), account?.email ?? null),
    icon: BadgeDollarSign,
    to: `${adminPages.transactions}?${new URLSearchParams({ search: id })}`,
  }));
}

async function findJobs({ search, signal }: SearchRequest): Promise<FoundRow[]> {
  const { data } = await adminApi.adminListJobs({ query: { search, limit }, signal });
  return data.map(({ id, filename, status }) => ({
    label: text.job(filename, adminMessages.table.statuses[status]),
    icon: ListChecks,
    to: jobPath(id),
  }));
}

async function findPosts({ search, signal }: SearchRequest): Promise<FoundRow[]> {
  const { data } = await adminApi.adminListArticles({ query: { kind: 'post', search, limit }, signal });
  return data.map(({ id, title }) => ({ label: text.post(title), icon: FileText, to: postPath(id) }));
}

const sources: readonly { permission: Permission; find: (searching: SearchRequest) => Promise<FoundRow[]> }[] = [
  { permission: 'users.read', find: findUsers },
  { permission: 'payments.read', find: findPayments },
  { permission: 'jobs.read', find: findJobs },
  { permission: 'content.read', find: findPosts },
];

/** Searches only what the administrator's role may read. */
function useFoundRows(typed: string, user: User | null): { rows: FoundRow[]; isSearching: boolean } {
  const wanted = typed.trim();
  const search = useDebounced(wanted, debounceMs);
  const permissions = user?.isAdmin ? user.permissions : [];
  const own = sources.filter(({ permission }) => permissions.includes(permission));
  const enabled = own.length > 0 && search.length >= minSearchLength;
  const { data = [], isFetching } = useQuery({
    queryKey: ['admin-search', search],
    // If one of the searches fails, the results of the others are still shown.
    queryFn: async ({ signal }) =>
      (await Promise.all(own.map(({ find }) => find({ search, signal }).catch((): FoundRow[] => [])))).flat(),
    enabled,
    staleTime: 10_000,
  });
  const isDue = own.length > 0 && wanted.length >= minSearchLength;
  return { rows: enabled && search === wanted ? data : [], isSearching: isDue && (isFetching || search !== wanted) };
}
