import { pushJourney, pushKindsJourney } from './push-journeys.ts';

pushJourney('light');
pushKindsJourney('light');
