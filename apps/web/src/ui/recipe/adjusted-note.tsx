import { recipeMessages as text } from './messages.ts';
import type { RecipeSettings } from './recipe-settings.ts';

type AdjustedNoteProps = {
  /** As remembered, and as the plan and the engines allow now. */
  stored: RecipeSettings;
  settings: RecipeSettings;
  /** Whether the scale factor sets the size. */
  hasFactor?: boolean;
};

/** Shown when remembered settings are not available to this user now. */
export function AdjustedNote({ stored, settings, hasFactor = true }: AdjustedNoteProps) {
  const { engine, format, scaleFactor } = settings;
  const changes = [
    ...(engine === stored.engine ? [] : [text.engineAdjusted(stored.engine)]),
    ...(format === stored.format ? [] : [text.formatAdjusted(text.formatName(stored.format), text.formatName(format))]),
    ...(scaleFactor === stored.scaleFactor || !hasFactor ? [] : [text.factorAdjusted(stored.scaleFactor, scaleFactor)]),
  ];
  if (changes.length === 0) return null;
  return <p className="text-muted text-xs">{changes.join(' ')}</p>;
}
