import { useQuery } from '@tanstack/react-query';
import type { OpenApi } from '@uprez/contracts/docs/openapi/open-api';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { useState } from 'react';
import { documentationMessages } from '../messages.ts';
import type { Field, FieldGroup } from '../request-fields.ts';
import { FactList } from './fact-list.tsx';

const text = documentationMessages.fields;

const toFact = ({ name, isRequired, allowed, description }: Field) => ({
  name,
  detail: [...(isRequired ? [text.required] : []), allowed].join(' · '),
  description,
});

/** Loads the OpenAPI document when the fields are first opened. */
function Groups({ find }: { find: (document: OpenApi) => FieldGroup[] }) {
  const { data, isError } = useQuery<OpenApi>({
    queryKey: [v1Routes.v1OpenApi.path],
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return <p className="pt-2 text-muted">{isError ? text.missing : text.loading}</p>;
  return find(data).map(({ place, fields }) => (
    <section key={place} className="pt-3">
      <h4 className="pb-1 font-medium text-xs">{text.places[place]}</h4>
      <FactList label={text.places[place]} facts={fields.map(toFact)} />
    </section>
  ));
}

export function Fields({ title, find }: { title: string; find: (document: OpenApi) => FieldGroup[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="min-w-0 text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-muted hover:text-ink">{title}</summary>
      {isOpen && <Groups find={find} />}
    </details>
  );
}
