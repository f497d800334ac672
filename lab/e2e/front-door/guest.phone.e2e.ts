import { guestJourney } from './guest-journeys.ts';

guestJourney('light');
