import { adminJourney, screensJourney } from './screens-journeys.ts';

screensJourney('light');
adminJourney('dark');
