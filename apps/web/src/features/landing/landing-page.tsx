import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { type CarriedFile, carryFiles, saveCarriedFiles } from '../../lib/session/carried-files.ts';
import { redirectToSignIn } from '../../lib/session/redirect-to-sign-in.ts';
import { paths } from '../../site-map.ts';
import { maxStoredBytes } from '../bulk/state/saved-list.ts';
import { Processor } from '../processor/processor.tsx';
import { chooseImage } from '../processor/source/choose-image.ts';
import { hasOrRestoresImage, useProcessor } from '../processor/state/processor-store.ts';
import { useAuth } from '../session/auth-provider.tsx';
import { Hero, SectionsFallback } from './hero.tsx';
import { SampleView } from './sample-view.tsx';

const LandingSections = lazy(async () => ({ default: (await import('./landing-sections.tsx')).LandingSections }));

export function LandingPage() {
  const { user } = useAuth();
  const working = useProcessor(hasOrRestoresImage);
  const navigate = useNavigate();
  const openBatch = async (files: CarriedFile[]) => {
    if (user) {
      carryFiles(files);
      return navigate(paths.dashboard);
    }
    await saveCarriedFiles(files, maxStoredBytes);
    redirectToSignIn({ tab: 'sign-up', next: paths.dashboard });
  };
  return (
    <>
      <Hero working={working}>
        <Processor
          user={user}
          aside={<SampleView onOpen={(file) => void chooseImage(file)} />}
          onSeveral={(files) => void openBatch(files)}
        />
      </Hero>
      <Suspense fallback={<SectionsFallback />}>
        <LandingSections />
      </Suspense>
    </>
  );
}
