import { appealJourney } from './appeal-journeys.ts';

appealJourney('dark');
