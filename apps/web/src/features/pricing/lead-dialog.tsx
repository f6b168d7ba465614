import { createLeadBodySchema, type NewLeadInput } from '@uprez/contracts/schemas/leads';
import type { User } from '@uprez/contracts/schemas/user';
import { api } from '../../lib/api/api.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { BotField } from '../../ui/controls/bot-field.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';

const text = {
  title: (name: string) => `Ask about ${name}`,
  text: "We'll reply by email.",
  name: 'Name',
  email: 'Email',
  company: 'Company',
  volume: 'Images per month',
  optional: 'optional',
  message: 'Message',
  submit: 'Send message',
  pending: 'Sending...',
  done: 'Message sent',
};

type LeadDialogProps = { name: string; user: User | null; onClose: () => void };

/** Sends an inquiry about a plan to support. */
export function LeadDialog({ name, user, onClose }: LeadDialogProps) {
  const form = useApiForm<NewLeadInput>({
    schema: createLeadBodySchema,
    defaultValues: {
      name: [user?.firstName, user?.lastName].filter(Boolean).join(' '),
      email: user?.email ?? '',
      ...{ company: '', volume: '', message: '', website: '' },
    },
    send: async (body) => {
      await api.createLead({ body });
      showToast({ title: text.done, description: text.text });
      onClose();
    },
  });
  return (
    <FormDialog title={text.title(name)} description={text.text} form={form} text={text} onClose={onClose}>
      <TextField label={text.name} {...form.field('name')} autoComplete="name" />
      <TextField label={text.email} {...form.field('email')} type="email" autoComplete="email" />
      <TextField label={text.company} optional={text.optional} {...form.field('company')} autoComplete="organization" />
      <TextField label={text.volume} optional={text.optional} {...form.field('volume')} autoComplete="off" />
      <TextArea label={text.message} {...form.field('message')} />
      <BotField {...form.register('website')} />
    </FormDialog>
  );
}
