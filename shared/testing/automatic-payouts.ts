import type { AutomaticPayouts } from '../contract/admin.ts';

export const NOTHING_AUTOMATIC: AutomaticPayouts = {
  maxSnaps: null,
  paused: false,
  areBooksFine: true,
  approvedToday: { withdrawals: 0, snaps: 0 },
  key: null,
};
