import { recordJourney } from './record-journeys.ts';

recordJourney('dark');
