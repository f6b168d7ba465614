import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/controls/button.tsx';
import type { CategoryKind } from '../queries.ts';
import { CategoryDialog } from './category-dialog.tsx';

/** Asks for a category, and creates it. */
export function NewCategoryButton({ kind, label }: { kind: CategoryKind; label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {label}
      </Button>
      {isOpen && <CategoryDialog kind={kind} onClose={() => setOpen(false)} />}
    </>
  );
}
