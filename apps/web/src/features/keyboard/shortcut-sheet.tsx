import { keyboardMessages, shortcuts } from '../../lib/shortcuts/shortcuts.ts';
import { canRunShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

const scopes = Object.entries(keyboardMessages.scopes);
/** Only administrators see tables, so the shortcuts for tables are hidden from everyone else. */
const isShownScope = (scope: string) => scope !== 'table' || canRunShortcut('tableNext');

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={keyboardMessages.title} description={keyboardMessages.note}>
      {scopes
        .filter(([scope]) => isShownScope(scope))
        .map(([scope, name]) => (
          <section key={scope} className="grid gap-1">
            <h3 className="mb-1 text-sm">{name}</h3>
            <dl className="grid">
              {shortcuts
                .filter((shortcut) => shortcut.scope === scope)
                .map(({ id, label, keys }) => (
                  <div
                    key={id}
                    className="flex min-h-8 items-center justify-between gap-4 border-line border-t text-sm"
                  >
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
