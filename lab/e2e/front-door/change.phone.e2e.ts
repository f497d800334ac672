import { askJourney } from './ask-journeys.ts';
import { changeJourney } from './change-journeys.ts';

changeJourney('dark');
askJourney('light');
