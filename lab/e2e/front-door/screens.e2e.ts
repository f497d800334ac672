import { adminJourney, deadLinkJourney, screensJourney } from './screens-journeys.ts';

screensJourney('dark');
deadLinkJourney('page', 'light');
deadLinkJourney('project', 'dark');
adminJourney('light');
