import { limits } from '@uprez/contracts/policy/limits';
import { Link } from 'react-router';
import { emptyAsUndefined } from '../../lib/forms/use-api-form.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { TextField } from '../../ui/controls/text-field.tsx';

const text = messages.auth;
const nameFields = [
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
] as const;
type Name = (typeof nameFields)[number]['name'];

export function NameFields({ field }: { field: (name: Name, rules: typeof emptyAsUndefined) => object }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
      {nameFields.map(({ name, autoComplete }) => (
        <TextField
          key={name}
          label={text[name]}
          optional={text.optional}
          {...field(name, emptyAsUndefined)}
          autoComplete={autoComplete}
        />
      ))}
    </div>
  );
}

/** The linked documents open in a new tab, because navigating away would clear the form. */
export function Consent() {
  const document = (to: string, label: string) => (
    <Link to={to} target="_blank" className="underline underline-offset-4">
      {label}
    </Link>
  );
  return (
    <>
      {text.consent.age(limits.minAge)} {document(paths.terms, messages.navigation.terms)} {text.consent.and}{' '}
      {document(paths.privacy, messages.navigation.privacy)}
    </>
  );
}
