import { periodJourney } from './period-journeys.ts';
import { returnJourney } from './return-journeys.ts';

returnJourney('light');
periodJourney('dark');
