import { PageHeading } from '../ui/layout/page-heading.tsx';
import { ButtonsExample } from './dev-ui/buttons-example.tsx';
import { ChoicesExample } from './dev-ui/choices-example.tsx';
import { DropExample } from './dev-ui/drop-example.tsx';
import { FactsExample } from './dev-ui/facts-example.tsx';
import { FieldsExample } from './dev-ui/fields-example.tsx';
import { LayersExample } from './dev-ui/layers-example.tsx';
import { devUiMessages } from './dev-ui/messages.ts';
import { StatesExample } from './dev-ui/states-example.tsx';
import { ArtExample, TokensExample } from './dev-ui/tokens-example.tsx';

/** All UI components in each of their states. Only in development. */
export function DevUiPage() {
  return (
    <div className="mx-auto grid w-full max-w-300 gap-8 px-4 py-8 *:min-w-0 sm:px-6">
      <PageHeading title={devUiMessages.title} className="text-xl">
        {devUiMessages.title}
      </PageHeading>
      <ButtonsExample />
      <FieldsExample />
      <ChoicesExample />
      <LayersExample />
      <DropExample />
      <StatesExample />
      <FactsExample />
      <ArtExample />
      <TokensExample />
    </div>
  );
}
