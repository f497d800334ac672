/** The parts of the landing page that are visible before their code is needed: the server's HTML shows them, and the code takes over later. */
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
