import { changeJourney } from './change-journeys.ts';

changeJourney('light');
