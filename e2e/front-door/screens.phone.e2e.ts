import { adminJourney, deadLinkJourney, screensJourney } from './screens-journeys.ts';

screensJourney('light');
deadLinkJourney('project', 'dark');
adminJourney('dark');
