import { Link } from 'react-router';
import { ApiSection } from '../features/landing/api-section.tsx';
import { FeaturesSection } from '../features/landing/features-section.tsx';
import { LandingSection } from '../features/landing/landing-section.tsx';
import { landingMessages } from '../features/landing/messages.ts';
import { PlanCards } from '../features/pricing/plan-cards.tsx';
import { useAuth } from '../features/session/auth-provider.tsx';
import { anchors, paths } from '../site-map.ts';
import { buttonStyle } from '../ui/controls/button.tsx';

const text = landingMessages.pricing;

export function LandingSections() {
  const { user } = useAuth();
  return (
    <>
      <FeaturesSection />
      {!user && (
        <>
          <LandingSection
            id={anchors.pricing}
            title={text.title}
            aside={
              <Link to={paths.pricing} className={buttonStyle({ look: 'secondary' })}>
                {text.compare}
              </Link>
            }
          >
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <p className="max-w-2xl text-muted">{text.lead}</p>
              <PlanCards user={user} />
            </div>
          </LandingSection>
          <ApiSection origin={window.location.origin} />
        </>
      )}
    </>
  );
}
