import { talkJourney } from './talk-journeys.ts';

talkJourney('light');
