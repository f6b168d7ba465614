import { useQuery } from '@tanstack/react-query';
import { MoreHorizontal, Settings, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { showToast } from '../lib/notifications/toast-store.ts';
import { Button, IconButton } from '../ui/controls/button.tsx';
import { Checkbox } from '../ui/controls/checkbox.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { DropFrame } from '../ui/controls/drop-area.tsx';
import { Kbd } from '../ui/controls/kbd.tsx';
import { NumberField } from '../ui/controls/number-field.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Slider } from '../ui/controls/slider.tsx';
import { Switch } from '../ui/controls/switch.tsx';
import { TextArea, TextField } from '../ui/controls/text-field.tsx';
import { Badge, StatusDot } from '../ui/feedback/badge.tsx';
import { EmptyQueueArt, EmptyState } from '../ui/feedback/empty-state.tsx';
import { Meter } from '../ui/feedback/meter.tsx';
import { Notice } from '../ui/feedback/notice.tsx';
import { ProgressBar } from '../ui/feedback/progress-bar.tsx';
import { QueryView, Skeleton } from '../ui/feedback/query-view.tsx';
import { Card } from '../ui/layout/card.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';
import { Tabs } from '../ui/layout/tabs.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Menu, Popover } from '../ui/overlays/menu.tsx';

const title = 'Components';
const buttonLabel = 'Resize';
const text = 'Make small images large enough to print.';
const error = 'This name is taken';
const looks = ['primary', 'secondary', 'ghost', 'danger'] as const;
const notices = ['info', 'warning', 'danger'] as const;
const badges = ['neutral', 'success', 'warning', 'danger'] as const;
const dots = ['done', 'active', 'failed'] as const;
const dropStates = ['idle', 'focused', 'dialog', 'dragging', 'accepted', 'rejected', 'disabled'] as const;
const options = (['first', 'second', 'third'] as const).map((value) => ({ value, label: value, content: value }));
const colors = ['page', 'surface', 'sunken', 'line', 'ink', 'muted', 'accent', 'success', 'warning', 'danger'];
const queries: Record<string, () => Promise<string[]>> = {
  loading: () => new Promise(() => {}),
  error: () => Promise.reject(new TypeError(buttonLabel)),
  empty: () => Promise.resolve([]),
  data: () => Promise.resolve([text]),
};
const dropProps = {
  rootProps: {},
  inputProps: { type: 'file', className: 'sr-only', tabIndex: -1 },
  buttonProps: { disabled: false, onClick: () => {}, onFocus: () => {}, onBlur: () => {} },
};

const Grid = ({ children }: { children: ReactNode }) => (
  <section className="grid items-start gap-5 border-line border-t pt-5 sm:grid-cols-2 lg:grid-cols-4">
    {children}
  </section>
);

function Controls() {
  const [number, setNumber] = useState<number | undefined>(3);
  const [on, setOn] = useState(true);
  const [choice, setChoice] = useState<(typeof options)[number]['value']>('first');
  const field = { label: title, error };
  const select = { label: title, value: choice, onChange: setChoice, options };
  const range = { label: title, value: number ?? 1, onChange: setNumber, min: 1, max: 8 };
  return (
    <Grid>
      {looks.map((look) => (
        <Button key={look} look={look}>
          {look}
        </Button>
      ))}
      <Button disabled>{buttonLabel}</Button>
      <Button pending>{buttonLabel}</Button>
      <Button pending pendingText={text}>
        {buttonLabel}
      </Button>
      <Button size="small">{buttonLabel}</Button>
      <IconButton label={buttonLabel} icon={Settings} />
      <CopyButton text={text} label={buttonLabel} look="secondary" />
      <Kbd keys="$mod+k" />
      <TextField label={title} hint={text} />
      <TextField {...field} />
      <PasswordField label={title} />
      <NumberField {...range} suffix={buttonLabel} />
      <TextArea {...field} />
      <Select {...select} />
      <Select {...select} disabled />
      <Segmented legend={title} options={options} value={choice} onChange={setChoice} />
      <Checkbox label={text} checked={on} onChange={setOn} />
      <Checkbox {...field} checked={!on} onChange={() => setOn(!on)} />
      <Switch label={text} checked={on} onChange={setOn} />
      <Slider {...range} valueText={buttonLabel} />
      <Slider {...range} valueText={buttonLabel} lockedFrom={5} lockedText={() => text} />
      <Tabs label={title} value={choice} onChange={setChoice} tabs={options} />
      {dropStates.map((state) => (
        <DropFrame key={state} {...dropProps} state={state} label={state} />
      ))}
    </Grid>
  );
}

function Layers() {
  const [layer, setLayer] = useState('');
  const close = () => setLayer('');
  const shared = { title, onOpenChange: close };
  const question = { ...shared, text, confirm: buttonLabel, onConfirm: close };
  const toast = { title, description: text };
  const items = [
    { label: buttonLabel, icon: Settings, onSelect: close },
    { label: error, icon: Trash2, onSelect: close, danger: true },
  ];
  return (
    <Grid>
      {['dialog', 'locked', 'confirm', 'typed'].map((name) => (
        <Button key={name} look="secondary" onClick={() => setLayer(name)}>
          {name}
        </Button>
      ))}
      <Menu label={buttonLabel} trigger={<IconButton label={buttonLabel} icon={MoreHorizontal} />} items={items} />
      <Popover label={buttonLabel} trigger={<Button look="secondary">{buttonLabel}</Button>}>
        {text}
      </Popover>
      <Button onClick={() => showToast(toast)}>{title}</Button>
      <Button onClick={() => showToast({ ...toast, destructive: true })}>{error}</Button>
      <Dialog {...shared} open={layer === 'dialog'} description={text} wide>
        <TextField label={buttonLabel} />
      </Dialog>
      <Dialog {...shared} open={layer === 'locked'} locked>
        <Button onClick={close}>{buttonLabel}</Button>
      </Dialog>
      <ConfirmDialog {...question} open={layer === 'confirm'} />
      <ConfirmDialog {...question} open={layer === 'typed'} typed={buttonLabel} />
    </Grid>
  );
}

function QueryExample({ name }: { name: string }) {
  const query = useQuery({ queryKey: ['dev-ui', name], ...(queries[name] && { queryFn: queries[name] }) });
  return (
    <Card title={name}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-5 w-full" />}
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState title={title} text={text} illustration={<EmptyQueueArt />} />}
      >
        {(data) => data}
      </QueryView>
    </Card>
  );
}

/** Shows all UI components in their states. Only available in development. */
export function DevUiPage() {
  return (
    <div className="mx-auto grid w-full max-w-300 gap-8 px-4 py-8 sm:px-6">
      <PageHeading title={title} className="text-xl">
        {title}
      </PageHeading>
      <Controls />
      <Layers />
      <Grid>
        {Object.keys(queries).map((name) => (
          <QueryExample key={name} name={name} />
        ))}
        {notices.map((kind) => (
          <Notice key={kind} kind={kind}>
            {text}
          </Notice>
        ))}
        {badges.map((kind) => (
          <Badge key={kind} kind={kind}>
            {kind}
          </Badge>
        ))}
        {dots.map((kind) => (
          <StatusDot key={kind} kind={kind} text={kind} />
        ))}
        {[37, 80, 100].map((value) => (
          <Meter key={value} label={title} value={value} max={100} valueText={String(value)} />
        ))}
        <ProgressBar label={buttonLabel} valueText={text} percent={40} />
        <ProgressBar label={buttonLabel} valueText={text} />
        {colors.map((name) => (
          <div key={name} className="h-10 rounded-control border border-line" style={{ background: `var(--${name})` }}>
            {name}
          </div>
        ))}
      </Grid>
    </div>
  );
}
