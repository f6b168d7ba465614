import { PaletteDialog } from '../../features/palette/palette-dialog.tsx';
import { useAuth } from '../../features/session/auth-context.ts';
import { useTheme } from '../../features/theme/theme-store.ts';
import { listCommands } from './commands.ts';

/** The palette with the commands of the current user and page. */
export function SitePalette({ onClose }: { onClose: () => void }) {
  const { user, signOut } = useAuth();
  const { choose } = useTheme();
  return <PaletteDialog commands={listCommands({ user, signOut, choose })} onClose={onClose} />;
}
