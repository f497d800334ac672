import { devices } from '@playwright/test';
import { test } from './front-door/door.ts';
import { askJourney } from './front-door/ask-journeys.ts';
import { renameJourney, staleCardJourney } from './front-door/rename-journeys.ts';

test.use(devices['Pixel 7']);

askJourney('light');
renameJourney('light');
staleCardJourney('dark');
