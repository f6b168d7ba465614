import { mailPages } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { CodePanel } from './code-panel.tsx';
import type { ExampleName } from './example-names.ts';
import { useExampleValues } from './example-values.ts';
import { getExample } from './examples.ts';
import { useLanguage } from './language-store.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { languages } from './languages.ts';
import { mapText } from './lines.ts';
import { codeMessages as text } from './messages.ts';
import { fillPlaceholders, placeholders, secretPlaceholder } from './placeholders.ts';

/** The placeholder that the reader must replace: the key or the secret. */
function Note({ name, preview }: { name: ExampleName; preview: string | undefined }) {
  if (name === 'webhook') return text.secretIsMissing(secretPlaceholder);
  if (preview) return text.keyIsPreview(preview, placeholders.key);
  return (
    <>
      {text.keyIsMissing(placeholders.key)}{' '}
      <Link to={mailPages.apiKeys} className="underline underline-offset-2 hover:text-ink">
        {text.getKey}
      </Link>
    </>
  );
}

/** An example in the chosen language, with the origin of this site. */
export function Example({ name }: { name: ExampleName }) {
  const language = useLanguage((store) => store.language);
  const { address, preview } = useExampleValues();
  const filled = { address, key: placeholders.key };
  return (
    <CodePanel
      name={`${text.examples[name]}, ${languages[language].name}`}
      title={<LanguageSwitch />}
      lines={mapText(getExample(name, language), (piece) => fillPlaceholders(piece, filled))}
      note={<Note name={name} preview={preview} />}
    />
  );
}
