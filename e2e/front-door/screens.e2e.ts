import { adminJourney, deadLinkJourney, screensJourney } from './screens-journeys.ts';

screensJourney('dark');
deadLinkJourney('page', 'light');
adminJourney('light');
