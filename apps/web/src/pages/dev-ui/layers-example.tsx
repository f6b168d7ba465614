import { MoreHorizontal, Settings, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { openShortcutSheet } from '../../features/keyboard/sheet-store.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { Example, Row } from './example.tsx';
import { devUiMessages as text } from './messages.ts';

type Layer = 'dialog' | 'wide' | 'locked' | 'confirm' | 'typed' | 'sheet';
const layers: Layer[] = ['dialog', 'wide', 'locked', 'confirm', 'typed', 'sheet'];
const nothing = () => {};
const long = 30_000;

function Layers({ layer, close }: { layer: Layer | undefined; close: () => void }) {
  const shared = { title: text.title, onOpenChange: close };
  const question = { ...shared, text: text.sentence, confirm: text.danger, onConfirm: close };
  return (
    <>
      {(['dialog', 'wide', 'locked'] as const).map((kind) => (
        <Dialog
          key={kind}
          {...shared}
          open={layer === kind}
          description={text.sentence}
          wide={kind === 'wide'}
          locked={kind === 'locked'}
        >
          <TextField label={text.name} />
          <Button onClick={close}>{text.word}</Button>
        </Dialog>
      ))}
      <ConfirmDialog {...question} open={layer === 'confirm'} />
      <ConfirmDialog {...question} open={layer === 'typed'} typed={text.typed} />
      <Sheet {...shared} open={layer === 'sheet'}>
        <TextField label={text.name} />
      </Sheet>
    </>
  );
}

export function LayersExample() {
  const [layer, setLayer] = useState<Layer>();
  const toast = { title: text.title, description: text.sentence };
  const items = [
    { label: text.word, icon: Settings, onSelect: nothing },
    { label: text.name, onSelect: nothing, disabled: true },
    { label: text.danger, icon: Trash2, onSelect: nothing, danger: true },
  ];
  return (
    <Example section="layers">
      <Row>
        {layers.map((kind) => (
          <Button key={kind} look="secondary" onClick={() => setLayer(kind)}>
            {text.open[kind]}
          </Button>
        ))}
        <Menu
          label={text.open.menu}
          trigger={<IconButton label={text.open.menu} icon={MoreHorizontal} />}
          items={items}
        />
        <Popover trigger={<Button look="secondary">{text.open.popover}</Button>}>{text.sentence}</Popover>
        <Button look="secondary" onClick={() => showToast(toast)}>
          {text.open.toast}
        </Button>
        <Button look="secondary" onClick={() => showToast({ ...toast, destructive: true })}>
          {text.open.failure}
        </Button>
        <Button look="secondary" onClick={() => showToast({ ...toast, durationMs: long })}>
          {text.open.long}
        </Button>
        <Button look="secondary" onClick={() => announce(text.sentence)}>
          {text.open.announce}
        </Button>
        <Button look="secondary" onClick={openShortcutSheet}>
          {text.open.shortcuts}
        </Button>
      </Row>
      <Layers layer={layer} close={() => setLayer(undefined)} />
    </Example>
  );
}
