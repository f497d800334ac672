import { countButtonJourney, guestJourney } from './guest-journeys.ts';

guestJourney('light');
countButtonJourney();
