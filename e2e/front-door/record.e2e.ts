import { recordJourney } from './record-journeys.ts';

recordJourney('light');
