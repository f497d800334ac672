import { claimJourney } from './ownership-journeys.ts';

claimJourney('light');
