import { Features } from './features.tsx';
import { HowItWorks } from './how-it-works.tsx';

/** Below the fold. */
export function Below() {
  return (
    <>
      <HowItWorks />
      <Features />
    </>
  );
}
