import { renameJourney } from './rename-journeys.ts';

renameJourney('light');
