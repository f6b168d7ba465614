import { mailPages } from '@uprez/contracts/texts/site/pages';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CodePanel, PanelTitle } from './code-panel.tsx';
import {
  fillPlaceholders,
  placeholders,
  type StaticView,
  secretPlaceholder,
  useExampleValues,
  useStaticView,
} from './example-values.ts';
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

function getExample(name: ExampleName, language: Language): Lines {
  const lines = files[`../../examples/${language}/${name}.${languages[language].ending}`];
  if (!lines) throw new Error(`The example "${name}" is missing in ${languages[language].name}.`);
  return lines;
}

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

type PanelProps = { name: ExampleName; language: Language; title: ReactNode };

function ExamplePanel({ name, language, title }: PanelProps) {
  const { address, preview } = useExampleValues();
  const filled = { address, key: placeholders.key };
  return (
    <CodePanel
      name={`${text.examples[name]}, ${languages[language].name}`}
      title={title}
      lines={mapText(getExample(name, language), (piece) => fillPlaceholders(piece, filled))}
      note={<Note name={name} preview={preview} />}
    />
  );
}

/** An example without the language switch, which needs JavaScript. */
function StaticExample({ name, view }: { name: ExampleName; view: StaticView }) {
  const [first, ...others] = languageNames;
  const panel = (language: Language) => (
    <ExamplePanel name={name} language={language} title={<PanelTitle>{languages[language].name}</PanelTitle>} />
  );
  return (
    <>
      {panel(first)}
      {view.languages === 'all' &&
        others.map((language) => (
          <details key={language} className="min-w-0">
            <summary className="cursor-pointer pb-2 text-muted text-sm hover:text-ink">
              {languages[language].name}
            </summary>
            {panel(language)}
          </details>
        ))}
    </>
  );
}

export function Example({ name }: { name: ExampleName }) {
  const language = useLanguage((store) => store.language);
  const view = useStaticView();
  if (view) return <StaticExample name={name} view={view} />;
  return <ExamplePanel name={name} language={language} title={<LanguageSwitch />} />;
}
