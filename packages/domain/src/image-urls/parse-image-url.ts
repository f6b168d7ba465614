import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { imageUrlOptions, imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import { type Fields, findField, parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { v1Defaults } from '@uprez/contracts/v1/fields';
import { checkUrl } from '@uprez/guarded-fetch/check-url';

/** The parts of an image URL's path, with percent-encoding decoded. */
export type ImagePath = { signature: string; options: string; source: string };

/**
 * `expiresS`: Unix time, in seconds. `varies`: whether the format depends on the client. `hash`: hash of everything
 * that determines the result.
 */
export type ParsedImageUrl = {
  source: URL;
  recipe: Recipe;
  expiresS: number | undefined;
  varies: boolean;
  hash: string;
};

export const keyIdBytes = 8;
const keyPattern = new RegExp(`(?:^|,)${imageUrlOptions.key}:([0-9a-f]{${2 * keyIdBytes}})(?:,|$)`);
const timePattern = /^[0-9]{1,12}$/;
const ownNames: readonly string[] = Object.values(imageUrlOptions);

/** Returns the key ID from the options of an image URL. Undefined if the options contain none. */
export const parseKeyId = (options: string): string | undefined => keyPattern.exec(options)?.[1];

export const encodeSource = (url: string): string => Buffer.from(url).toString('base64url');

/**
 * Parses an image URL, which takes the API's options. `accept`: the client's `Accept` header, for `format:auto`. Throws
 * `invalid_parameter`, `conflicting_params`, or `url_not_allowed`.
 */
export function parseImageUrl({ options, source }: Omit<ImagePath, 'signature'>, accept: string): ParsedImageUrl {
  const fields = splitOptions(options);
  const given = parseRecipe(
    fields.filter(([name]) => !ownNames.includes(name)),
    { ...v1Defaults, format: 'auto' },
  );
  const varies = given.format === 'auto';
  // WebP supports transparency and animation, so it is suitable for every image.
  const recipe: Recipe = varies && acceptsWebp(accept) ? { ...given, format: 'webp' } : given;
  const url = decodeSource(source);
  return { source: url, recipe, expiresS: readExpiry(fields), varies, hash: hashImage(url, recipe) };
}

function splitOptions(options: string): Fields {
  if (options.length > imageUrlRules.optionsLength)
    throw new AppError('invalid_parameter', {
      param: 'processing',
      allowed: `at most ${imageUrlRules.optionsLength} characters`,
    });
  return options.split(',').map((option) => {
    const [name = '', ...value] = option.split(':');
    if (name === '' || value.length !== 1)
      throw new AppError('invalid_parameter', {
        detail: 'Write options as "name:value", separated by commas.',
        param: 'processing',
        got: option,
      });
    // Rejected, because the cache determines how long results are kept.
    if (findField(name) === 'retention')
      throw new AppError('invalid_parameter', {
        detail: `"${name}" isn't an option of image URLs.`,
        param: name,
      });
    return [name, value.join('')] as const;
  });
}

function readExpiry(fields: Fields): number | undefined {
  const [first, second] = fields.filter(([name]) => name === imageUrlOptions.expires);
  if (!first) return undefined;
  const [param, text] = first;
  if (second) throw new AppError('invalid_parameter', { detail: `"${param}" was sent more than once.`, param });
  if (timePattern.test(text)) return Number(text);
  throw new AppError('invalid_parameter', { param, allowed: 'a Unix time in seconds', got: text });
}

/**
 * Decodes an original's URL. Accepts only the canonical encoding and drops the fragment, because otherwise the same
 * result would be made for each variant of the path.
 */
function decodeSource(source: string): URL {
  const text = Buffer.from(source, 'base64url').toString();
  if (encodeSource(text) !== source)
    throw new AppError('invalid_parameter', {
      param: 'source',
      allowed: 'an https URL as base64url without padding',
      got: source,
    });
  try {
    const { url } = checkUrl(text);
    url.hash = '';
    return url;
  } catch (error) {
    throw error instanceof AppError ? error.with({ param: 'source' }) : error;
  }
}

/** Whether an `Accept` header names WebP (RFC 9110, 12.5.1). Ignores `*\/*`, because every client sends it. */
const acceptsWebp = (accept: string): boolean =>
  accept.split(',').some((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return type === 'image/webp' && !parameters.some((text) => /^q=0(\.0{1,3})?$/.test(text));
  });

function hashImage(source: URL, recipe: Recipe): string {
  const options = Object.entries(recipe).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([source.href, options]))
    .digest('base64url');
}
