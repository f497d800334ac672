/** What of the landing page is seen before its code is needed: the server's HTML shows it, and the code takes it over when it comes. */
import { Features } from './features.tsx';
import { HowItWorks } from './how-it-works.tsx';

export { HeroStack } from './hero-stack.tsx';

/** Below the fold. */
export function Below() {
  return (
    <>
      <HowItWorks />
      <Features />
    </>
  );
}
