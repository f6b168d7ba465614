import type { User } from '@uprez/contracts/schemas/user';
import {
  CircleUser,
  CreditCard,
  Download,
  ExternalLink,
  FileText,
  House,
  Images,
  ImageUp,
  Keyboard,
  KeyRound,
  ListChecks,
  LogIn,
  LogOut,
  Play,
} from 'lucide-react';
import { useState } from 'react';
import { entriesFor } from '../../features/admin/frame/admin-links.ts';
import { adminMessages } from '../../features/admin/messages.ts';
import { useFoundRows } from '../../features/admin/search/use-found-rows.ts';
import { dashboardMessages } from '../../features/dashboard/messages.ts';
import { useAuth } from '../../features/session/auth-provider.tsx';
import { themeChoices, themeIcons, useTheme } from '../../features/theme/theme-switch.tsx';
import { keyboardMessages, type ShortcutId, shortcuts } from '../../lib/shortcuts/shortcuts.ts';
import { canRunShortcut, triggerShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages } from '../../messages.ts';
import { paths, siteLinks } from '../../site-map.ts';
import { type PaletteCommand, PaletteDialog, paletteMessages as text } from './palette-dialog.tsx';

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

const keysOf = (id: ShortcutId) => shortcuts.find((row) => row.id === id)?.keys;

/** Pages that this user can open, each path once. */
function listPages(user: User | null): PaletteCommand[] {
  const audience = user ? 'user' : 'visitor';
  const linked = siteLinks
    .filter(({ bar, footer }) => bar.includes(audience) || footer.includes(audience))
    .map(({ label, to }) => ({ label, to, icon: FileText }));
  const home = { label: text.home, to: paths.home, icon: House, keys: keysOf('home') };
  const pages = [home, ...(user ? listUserPages() : [visitorPage]), ...linked];
  return pages
    .filter(({ to }, index) => pages.findIndex((page) => page.to === to) === index)
    .map((page) => ({ ...page, id: `page ${page.to}`, group: 'pages' }));
}

const visitorPage = { label: navigation.signIn, to: paths.auth, icon: LogIn };

function listUserPages() {
  const tab = (name: string) => `${paths.dashboard}?tab=${name}`;
  const { tabs } = dashboardMessages;
  return [
    { label: navigation.dashboard, to: paths.dashboard, icon: Images, keys: keysOf('dashboard') },
    { label: tabs.activity, to: tab('activity'), icon: ListChecks },
    { label: tabs['api-keys'], to: tab('api-keys'), icon: KeyRound },
    { label: navigation.account, to: paths.account, icon: CircleUser },
    { label: navigation.billing, to: paths.billing, icon: CreditCard },
  ];
}

/** The sidebar of administrators, each page once, and its quick actions. */
function listAdminPages(user: User | null): PaletteCommand[] {
  if (!user?.isAdmin) return [];
  const entries = entriesFor(user.permissions).flatMap(({ label, icon, to, links }) => [
    ...(to ? [{ label, icon, to }] : []),
    ...links.map((link) => ({ label: `${label}: ${link.label}`, icon, to: link.to })),
  ]);
  const viewSite: PaletteCommand = {
    id: 'admin view-site',
    group: 'admin',
    label: adminMessages.quickActions.viewSite,
    icon: ExternalLink,
    run: () => void window.open(paths.home, '_blank', 'noopener'),
  };
  const pages = entries.filter(({ to }, index) => entries.findIndex((page) => page.to === to) === index);
  return [...pages.map((page) => ({ ...page, id: `admin ${page.to}`, group: 'admin' as const })), viewSite];
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
