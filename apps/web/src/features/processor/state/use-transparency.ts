import { useQuery } from '@tanstack/react-query';
import { formatTraits, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { SourceImage } from './image.ts';

/**
 * Whether a format would drop transparent areas of an image. The pixels are examined only if the format can't store the
 * image's alpha channel.
 */
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
