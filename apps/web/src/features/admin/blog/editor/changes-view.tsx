import { Changes } from '../../../../ui/article/changes.tsx';
import type { FieldChange } from './list-changes.ts';

/** Shows the differences between two versions. Removed text is crossed out, and added text is underlined. */
export const ChangesView = ({ changes, legend }: { changes: readonly FieldChange[]; legend: string }) => (
  <div className="grid min-w-0 gap-4">
    <p className="text-muted text-xs">{legend}</p>
    {changes.map(({ label, parts }) => (
      <section key={label} aria-label={label} className="grid min-w-0 gap-1">
        <h3 className="font-medium text-sm">{label}</h3>
        <Changes parts={parts} />
      </section>
    ))}
  </div>
);
