import { askJourney } from './front-door/ask-journeys.ts';
import { renameJourney, staleCardJourney } from './front-door/rename-journeys.ts';

// Alone: a vote of another journey on the card of a renamed listing would not count, rightly.
askJourney('dark');
renameJourney('dark');
staleCardJourney('light');
