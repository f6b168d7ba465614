import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { maxStoredBytes } from '../features/bulk/state/saved-list.ts';
import { Hero, SectionsFallback } from '../features/landing/hero.tsx';
import { SampleView } from '../features/landing/sample-view.tsx';
import { Processor } from '../features/processor/processor.tsx';
import { chooseImage } from '../features/processor/source/choose-image.ts';
import { isWorking, useProcessor } from '../features/processor/state/processor-store.ts';
import { useAuth } from '../features/session/auth-provider.tsx';
import { type CarriedFile, carryFiles, saveCarriedFiles } from '../lib/session/carried-files.ts';
import { redirectToSignIn } from '../lib/session/redirect-to-sign-in.ts';
import { paths } from '../site-map.ts';

const LandingSections = lazy(async () => ({ default: (await import('./landing-sections.tsx')).LandingSections }));

/** The processor with samples. The texts shrink once an image is chosen. */
export function LandingPage() {
  const { user } = useAuth();
  const working = useProcessor(isWorking);
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
