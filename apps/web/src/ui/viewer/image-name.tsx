import { X } from 'lucide-react';
import { IconButton } from '../controls/button.tsx';

type ImageNameProps = {
  name: string;
  facts: readonly string[];
  removeLabel: string;
  onRemove: () => void;
  disabled?: boolean;
};

export function ImageName({ name, facts, removeLabel, onRemove, disabled = false }: ImageNameProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="grid min-w-0 grow">
        <p className="verbatim truncate font-medium text-sm" title={name}>
          {name}
        </p>
        <p className="text-muted text-xs tabular-nums">{facts.join(' · ')}</p>
      </div>
      <IconButton label={removeLabel} icon={X} disabled={disabled} onClick={onRemove} />
    </div>
  );
}
