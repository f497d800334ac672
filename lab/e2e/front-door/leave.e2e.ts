import { leaveJourney } from './leave-journeys.ts';

leaveJourney('light');
