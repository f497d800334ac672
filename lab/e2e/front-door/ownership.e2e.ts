import { claimJourney, ownershipJourney } from './ownership-journeys.ts';

ownershipJourney('light');
claimJourney('dark');
