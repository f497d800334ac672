import { pushJourney, pushKindsJourney } from './push-journeys.ts';

pushJourney('dark');
pushKindsJourney('dark');
