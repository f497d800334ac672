import { holdersJourney } from './holders-journeys.ts';

holdersJourney('dark');
