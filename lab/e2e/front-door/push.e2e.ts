import { pushJourney } from './push-journeys.ts';

pushJourney('light');
