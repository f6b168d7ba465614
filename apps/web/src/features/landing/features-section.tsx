import { anchors } from '../../site-map.ts';
import { Evidence } from './evidence.tsx';
import { FactGrid } from './fact-grid.tsx';
import { LandingSection } from './landing-section.tsx';
import { landingMessages } from './messages.ts';
import { SiteNumbers } from './site-numbers.tsx';

/** The features section of the landing page. */
export function FeaturesSection() {
  return (
    <LandingSection id={anchors.features} title={landingMessages.features.title}>
      <div className="grid gap-12">
        <Evidence />
        <FactGrid />
        <SiteNumbers />
      </div>
    </LandingSection>
  );
}
