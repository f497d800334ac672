import { Features } from './features.tsx';
import { HowItWorks } from './how-it-works.tsx';

export function Below() {
  return (
    <>
      <HowItWorks />
      <Features />
    </>
  );
}
