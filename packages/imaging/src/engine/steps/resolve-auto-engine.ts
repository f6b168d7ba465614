import { type ContentKind, describeAutoChoice } from '@uprez/contracts/policy/images/engines';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { RowFile } from '../rows/row-file.ts';
import { hasTransparency, type Samples, whiteOf } from '../rows/row-stream.ts';
import type { EngineJob } from '../stages.ts';
import { withEngine } from './make-verified-pixels.ts';

/**
 * If the pipeline leaves the choice to `auto`, chooses the engine for the content of a decoded image. Returns the job,
 * and the choice with its reason for the receipt. Without `auto`, the choice is null.
 */
export async function resolveAutoEngine(
  job: EngineJob,
  source: RowFile,
): Promise<{ job: EngineJob; choice: Receipt['autoChoice'] }> {
  const { auto, engine, output } = job.pipeline;
  if (!auto) return { job, choice: null };
  const { code, drawings } = auto;
  if (code !== 'content') return { job, choice: { code, reason: describeAutoChoice(code, engine) } };
  const kind = classifyContent(await measureContent(source, output.frames));
  const usesOther = kind === 'drawing' && drawings && drawings !== engine && job.networks[drawings];
  const pipeline = usesOther ? withEngine(job.pipeline, drawings) : job.pipeline;
  return { job: { ...job, pipeline }, choice: { code: kind, reason: describeAutoChoice(kind, pipeline.engine) } };
}

/** Maximum number of rows to measure. They are evenly distributed. */
const maxRows = 256;
/**
 * Thresholds for luma differences (0-255) between neighbors. Differences above `texture` exceed compression and camera
 * noise. Differences of at least `edge` are hard edges.
 */
const lumaSteps = { texture: 8, edge: 48 };
const lumaBins = 64;

/** Measurements of an image. All are shares from 0 to 1, except for `chroma`, which is from 0 to 255. */
type ContentFacts = {
  texture: number;
  hard: number;
  /** Share of pixels with the most frequent luma, such as that of paper. */
  background: number;
  /** Mean difference between the strongest and the weakest color channel. */
  chroma: number;
};

/**
 * Thresholds, measured on 15 photos, 61 drawings from Open Clip Art, and 44 images of text (screenshots, charts, pages,
 * and line art, at full and quarter size, as PNG and as JPEG of quality 75-80). `hard` is at most 0.28 for photos and
 * at least 0.36 for text. Half of the drawings are above the threshold for `hard`. The others are shaded and are
 * processed like photos, which suits them.
 */
const thresholds = { texture: 0.001, hard: 0.32, background: 0.5, chroma: 20 };

/** Classifies the content of an image. Images without structure count as photos. */
export function classifyContent({ texture, hard, background, chroma }: ContentFacts): ContentKind {
  if (texture < thresholds.texture || hard < thresholds.hard) return 'photo';
  return background >= thresholds.background && chroma <= thresholds.chroma ? 'text' : 'drawing';
}

export async function measureContent(source: RowFile, frames: number): Promise<ContentFacts> {
  const { width, channels } = source;
  const height = source.height / frames;
  const rows = Math.min(height, maxRows);
  const totals = { pairs: 0, texture: 0, edges: 0, chroma: 0, luma: new Float64Array(lumaBins) };
  for (let i = 0; i < rows; i++)
    addRow(await source.readRows(Math.floor(((i + 0.5) * height) / rows), 1), { ...source, totals });
  const pixels = rows * width;
  const background = Math.max(...totals.luma.map((count, i) => count + (totals.luma[i + 1] ?? 0)));
  return {
    texture: totals.texture / Math.max(1, totals.pairs),
    hard: totals.edges / Math.max(1, totals.texture),
    background: background / pixels,
    chroma: channels < 3 ? 0 : totals.chroma / pixels,
  };
}

type Totals = { pairs: number; texture: number; edges: number; chroma: number; luma: Float64Array };

function addRow(row: Samples, { channels, depth, alpha, totals }: RowFile & { totals: Totals }): void {
  const scale = 255 / whiteOf(depth);
  const alphaAt = hasTransparency({ channels, alpha }) ? channels - 1 : -1;
  const isColor = channels >= 3;
  let before = -1;
  for (let at = 0; at < row.length; at += channels) {
    // Transparent areas count as white.
    const opacity = alphaAt < 0 ? 1 : ((row[at + alphaAt] as number) * scale) / 255;
    const red = (row[at] as number) * scale;
    const green = isColor ? (row[at + 1] as number) * scale : red;
    const blue = isColor ? (row[at + 2] as number) * scale : red;
    const luma = 255 + (0.2126 * red + 0.7152 * green + 0.0722 * blue - 255) * opacity;
    totals.chroma += (Math.max(red, green, blue) - Math.min(red, green, blue)) * opacity;
    const bin = Math.min(lumaBins - 1, Math.floor((luma * lumaBins) / 256));
    totals.luma[bin] = (totals.luma[bin] as number) + 1;
    if (before >= 0) {
      const step = Math.abs(luma - before);
      totals.pairs++;
      if (step > lumaSteps.texture) totals.texture++;
      if (step >= lumaSteps.edge) totals.edges++;
    }
    before = luma;
  }
}
