import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { EVENT_KINDS, EVENT_SOURCES } from '../events.ts';
import { IdParam, Ok } from './types.ts';

export const recordEvent = endpoint('recordEvent', {
  access: 'public',
  summary:
    'Count a view of a project, a click on one of its links, or a share; nothing of the sender is stored, and the same client ' +
    'counts once in a few minutes',
  params: IdParam,
  body: z.object({ kind: z.enum(EVENT_KINDS), source: z.enum(EVENT_SOURCES) }),
  identity: false,
  status: 202,
  response: Ok,
});
