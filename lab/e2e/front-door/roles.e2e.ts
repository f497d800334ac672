import { rolesJourney } from './roles-journeys.ts';

rolesJourney('light');
