import { namesJourney } from './names-journeys.ts';

namesJourney('light');
