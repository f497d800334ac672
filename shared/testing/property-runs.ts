import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    propertyRuns: { times: number; seed: number | null };
  }
}

const { times, seed } = inject('propertyRuns');

/** Whether FC_TIMES asks for more runs than `npm test` makes (docs/build/hammer.md). */
export const isLongRun = times > 1;

/** The runs of a property for fast-check: `usual` ones in `npm test`, FC_TIMES times as many in a long run. */
export const runs = (usual = 100): { numRuns: number; includeErrorInReport: true; seed?: number } => ({
  numRuns: usual * times,
  // The reason is in the message, beside the seed: reports keep no causes.
  includeErrorInReport: true,
  ...(seed === null ? {} : { seed }),
});
