import { payoutsJourney } from './payouts-journeys.ts';

payoutsJourney('dark');
