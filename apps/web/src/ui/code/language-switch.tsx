import { useLanguage } from './language-store.ts';
import { languageNames, languages } from './languages.ts';
import { codeMessages as text } from './messages.ts';

/** Chooses the language of all examples. */
export function LanguageSwitch() {
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
