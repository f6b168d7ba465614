import { keyboardMessages, shortcuts } from '../../lib/shortcuts/shortcuts.ts';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useShortcutSheet } from './sheet-store.ts';

const scopes = Object.entries(keyboardMessages.scopes);

export function ShortcutSheet() {
  const { open } = useShortcutSheet();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => useShortcutSheet.setState({ open: next })}
      title={keyboardMessages.title}
      description={keyboardMessages.note}
    >
      {scopes.map(([scope, name]) => (
        <section key={scope} className="grid gap-1">
          <h3 className="mb-1 text-sm">{name}</h3>
          <dl className="grid">
            {shortcuts
              .filter((shortcut) => shortcut.scope === scope)
              .map(({ id, label, keys }) => (
                <div key={id} className="flex min-h-8 items-center justify-between gap-4 border-line border-t text-sm">
                  <dt>{label}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
