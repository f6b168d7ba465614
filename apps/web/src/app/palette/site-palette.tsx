import { Download, ImageUp, Keyboard, LogOut, Play } from 'lucide-react';
import { useState } from 'react';
import { useFoundRows } from '../../features/admin/search/use-found-rows.ts';
import { useAuth } from '../../features/session/auth-provider.tsx';
import { themeChoices, themeIcons, useTheme } from '../../features/theme/theme-switch.tsx';
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
