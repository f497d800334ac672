import { ownershipJourney } from './ownership-journeys.ts';

ownershipJourney('light');
