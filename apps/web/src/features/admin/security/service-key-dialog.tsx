import { limits } from '@uprez/contracts/policy/limits';
import { newServiceKeySchema } from '@uprez/contracts/schemas/security/admin-api-keys';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { SecretDialog } from '../../../ui/overlays/secret-dialog.tsx';
import { keyMessages } from './key-messages.ts';
import { useCreateServiceKey } from './use-admin-keys.ts';

const text = keyMessages.create;
type Creation = ReturnType<typeof useCreateServiceKey>;

function CreateDialog({ create, onClose }: { create: Creation; onClose: () => void }) {
  const form = useApiForm({
    schema: newServiceKeySchema,
    defaultValues: { name: '' },
    failure: keyMessages.createFailed,
    send: async (body) => {
      await create.mutateAsync(body);
      onClose();
    },
  });
  return (
    <FormDialog title={text.title} description={text.text} form={form} text={text} onClose={onClose}>
      <TextField
        label={text.name}
        {...form.field('name')}
        maxLength={limits.nameLength}
        autoComplete="off"
        aria-required
      />
    </FormDialog>
  );
}

/** Creates a service key, and shows its secret once. */
export function CreateServiceKey() {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<{ name: string; secret: string }>();
  const create = useCreateServiceKey(setCreated);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.open}
      </Button>
      {isOpen && <CreateDialog create={create} onClose={() => setOpen(false)} />}
      <SecretDialog
        created={created}
        isPending={create.isPending}
        onCopied={() => showToast({ title: keyMessages.success, description: keyMessages.copied })}
        onDone={() => setCreated(undefined)}
      />
    </>
  );
}
