import { offlineJourney } from './offline-journeys.ts';

offlineJourney('dark');
