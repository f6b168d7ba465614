import { useQuery } from '@tanstack/react-query';
import { formatTraits, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { SourceImage } from './image.ts';

/** Examines the pixels only if the image has an alpha channel that the format can't store. */
export function useTransparency(image: SourceImage | undefined, format: OutputFormat | undefined): boolean {
  const isAtRisk = image?.traits?.hasAlpha === true && format !== undefined && !formatTraits[format].alpha;
  const { data = false } = useQuery({
    queryKey: ['transparency', image?.url],
    queryFn: async () =>
      (await import('../../../lib/images/has-transparency.ts')).hasTransparency(image?.source ?? new Blob()),
    enabled: isAtRisk,
  });
  return isAtRisk && data;
}
