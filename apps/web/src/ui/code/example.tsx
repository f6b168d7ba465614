import { mailPages } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { CodePanel } from './code-panel.tsx';
import { fillPlaceholders, placeholders, secretPlaceholder, useExampleValues } from './example-values.ts';
import { type ExampleName, type Language, languageNames, languages, useLanguage } from './languages.ts';
import { type Lines, mapText } from './lines.ts';
import { codeMessages as text } from './messages.ts';

function LanguageSwitch() {
  const { language, choose } = useLanguage();
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{text.language}</legend>
      <div className="flex overflow-x-auto">
        {languageNames.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === language}
            onClick={() => choose(name)}
            className="min-h-7 shrink-0 rounded-small px-2.5 text-muted text-xs -outline-offset-2 hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink pointer-coarse:min-h-10"
          >
            {languages[name].name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

const files = import.meta.glob<Lines>('../../examples/*/*', { query: '?code', import: 'lines', eager: true });

const getExample = (name: ExampleName, language: Language): Lines =>
  files[`../../examples/${language}/${name}.${languages[language].ending}`] ?? [];

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
