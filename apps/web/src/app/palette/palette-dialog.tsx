import { pluralize } from '@uprez/contracts/texts/format';
import { Command, useCommandState } from 'cmdk';
import type { LucideIcon } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { overlayStyle } from '../../ui/overlays/dialog.tsx';

const text = {
  title: 'Search pages and actions',
  search: 'Search pages and actions',
  none: 'No results',
  results: (n: number) => pluralize(n, 'result'),
  groups: { found: 'Results', actions: 'Actions', pages: 'Pages', admin: 'Admin', theme: 'Theme' },
  searching: 'Searching...',
} as const;

/** A page to open, or an action. `keys`: its shortcut. */
export type PaletteCommand = {
  id: string;
  group: keyof typeof text.groups;
  label: string;
  icon: LucideIcon;
  keys?: string | undefined;
  /** Text to match instead of the label. */
  match?: string;
  keywords?: string | undefined;
} & ({ to: string; run?: undefined } | { run: () => void; to?: undefined });

const itemStyle =
  'flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 text-sm data-[selected=true]:bg-sunken pointer-coarse:min-h-11';

function Item({ command, onChoose }: { command: PaletteCommand; onChoose: (command: PaletteCommand) => void }) {
  const { id, label, icon: Icon, keys, match = label, keywords = '' } = command;
  return (
    <Command.Item value={id} keywords={[match, keywords]} onSelect={() => onChoose(command)} className={itemStyle}>
      <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys && <Kbd keys={keys} />}
    </Command.Item>
  );
}

function ResultCount({ isSearching }: { isSearching: boolean }) {
  const search = useCommandState((state) => state.search);
  const count = useCommandState((state) => state.filtered.count);
  const none = isSearching ? text.searching : text.none;
  return (
    <p role="status" className="sr-only">
      {search && (count > 0 ? text.results(count) : none)}
    </p>
  );
}

type PaletteDialogProps = {
  commands: readonly PaletteCommand[];
  /** Called with the typed text. The caller can search for more commands, such as on the server. */
  onSearch?: (text: string) => void;
  isSearching?: boolean;
  onClose: () => void;
};

export function PaletteDialog({ commands, onSearch, isSearching = false, onClose }: PaletteDialogProps) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const chosen = useRef<PaletteCommand>(undefined);
  const choose = (command: PaletteCommand) => {
    chosen.current = command;
    setOpen(false);
  };
  /** Runs after the dialog has closed, so that the next page or dialog receives the focus. */
  const leave = (event: Event) => {
    const command = chosen.current;
    if (command?.to !== undefined) event.preventDefault();
    onClose();
    if (command?.to !== undefined) void navigate(command.to);
    else command?.run?.();
  };
  const closeAgain = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    setOpen(false);
  };
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Portal>
        <Radix.Overlay className={overlayStyle} />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={leave}
          onKeyDown={closeAgain}
          className="fixed inset-x-4 top-[12dvh] z-40 mx-auto max-w-xl animate-slide-in overflow-hidden rounded-card border border-line bg-surface shadow-layer outline-none"
        >
          <Radix.Title className="sr-only">{text.title}</Radix.Title>
          <Command label={text.title} loop filter={(_, search, labels = []) => matchScore(labels.join(' '), search)}>
            <Command.Input
              placeholder={text.search}
              onValueChange={onSearch}
              className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none focus:border-accent"
            />
            <ResultCount isSearching={isSearching} />
            <Command.List label={text.title} className="max-h-[60dvh] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-muted text-sm">
                {isSearching ? text.searching : text.none}
              </Command.Empty>
              {Object.entries(text.groups).map(([group, heading]) => {
                const own = commands.filter((command) => command.group === group);
                if (own.length === 0) return null;
                return (
                  <Command.Group
                    key={group}
                    heading={heading}
                    className="**:[[cmdk-group-heading]]:px-3 **:[[cmdk-group-heading]]:py-1.5 **:[[cmdk-group-heading]]:text-muted **:[[cmdk-group-heading]]:text-xs"
                  >
                    {own.map((command) => (
                      <Item key={command.id} command={command} onChoose={choose} />
                    ))}
                  </Command.Group>
                );
              })}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

/** Returns how well a label matches a search, from 0 to 1. Each typed word must be the start of a word in the label. */
export function matchScore(label: string, search: string): number {
  if (label.toLowerCase().startsWith(search.trim().toLowerCase())) return 1;
  const words = wordsOf(label);
  return wordsOf(search).every((typed) => words.some((word) => word.startsWith(typed))) ? 0.5 : 0;
}
