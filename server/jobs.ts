import { noteEndedLocks } from './panel/admin/login.ts';
import { deleteExpired } from './people/auth/queries.ts';
import { recountWhenDue } from './money/ledger/recount.ts';
import { deleteOld } from './people/retention/delete-old.ts';
import { deleteUnused } from './people/retention/delete-unused.ts';
import { recoverPayments } from './money/payments/recover.ts';
import { applyRhythm } from './figures/standing/apply-rhythm.ts';
import { READING_INTERVAL_MS, READING_JOB, readStandingByClock } from './figures/standing/read-standing.ts';
import { approveByRule } from './money/payouts/approve-by-rule.ts';
import { payByKey } from './money/payouts/pay-by-key.ts';
import { settlePayouts } from './money/payouts/settle.ts';
import { anchorCheckpoints } from './record/anchor.ts';
import { cosignCheckpoints } from './record/cosign.ts';
import { keyNames } from './listings/projects/look-alikes.ts';
import { keepCatalogue } from './listings/catalogue/keep.ts';
import { recheckOwnership } from './listings/ownership/recheck.ts';
import { tellChanges } from './people/notices/notify-changes.ts';
import { tellExpiring } from './people/notices/notify-expiring.ts';
import { tellTurns } from './people/follows/turns.ts';
import { remind } from './people/push/remind.ts';
import { sendPush } from './people/push/send.ts';
import { closeDays } from './record/close-days.ts';
import { noteStorage } from './kit/storage.ts';
import type { Job } from './kit/scheduler.ts';
import { readPackages } from './listings/ownership/packages.ts';
import { delistExpired } from './listings/projects/delist.ts';
import { refreshTopVoters } from './voting/leaderboard/queries.ts';

export const jobs: readonly Job[] = [
  { name: 'recover-payments', intervalMs: 5_000, run: recoverPayments },
  { name: 'settle-payouts', intervalMs: 15_000, run: settlePayouts },
  {
    name: 'approve-withdrawals',
    intervalMs: 10_000,
    isSetUp: ({ payoutAutoMaxSnaps }) => payoutAutoMaxSnaps !== null,
    run: approveByRule,
  },
  { name: 'pay-withdrawals', intervalMs: 10_000, isSetUp: ({ payoutKey }) => payoutKey !== null, run: payByKey },
  { name: READING_JOB, intervalMs: READING_INTERVAL_MS, isSteady: true, run: readStandingByClock },
  { name: 'apply-rhythm', intervalMs: 3_600_000, run: applyRhythm },
  { name: 'check-invariants', intervalMs: 60_000, isSteady: true, run: (services) => recountWhenDue(services) },
  { name: 'refresh-top-voters', intervalMs: 300_000, run: refreshTopVoters },
  { name: 'close-days', intervalMs: 300_000, run: (services) => closeDays(services) },
  { name: 'anchor-record', intervalMs: 60_000, isSetUp: ({ anchorKey }) => anchorKey !== null, run: anchorCheckpoints },
  {
    name: 'cosign-record',
    intervalMs: 60_000,
    isSetUp: ({ logWitnesses }) => logWitnesses.length > 0,
    run: cosignCheckpoints,
  },
  { name: 'delist-expired', intervalMs: 600_000, run: delistExpired },
  { name: 'keep-catalogue', intervalMs: 3_600_000, run: keepCatalogue },
  { name: 'key-names', intervalMs: 600_000, run: keyNames },
  { name: 'read-packages', intervalMs: 60_000, run: readPackages },
  { name: 'recheck-ownership', intervalMs: 600_000, run: (services) => recheckOwnership(services) },
  { name: 'tell-changes', intervalMs: 60_000, run: tellChanges },
  { name: 'tell-expiring', intervalMs: 600_000, run: tellExpiring },
  { name: 'tell-turns', intervalMs: 600_000, run: tellTurns },
  { name: 'remind', intervalMs: 300_000, run: remind },
  { name: 'send-push', intervalMs: 5_000, isSetUp: ({ pushKey }) => pushKey !== null, run: sendPush },
  { name: 'delete-unused', intervalMs: 3_600_000, run: deleteUnused },
  { name: 'delete-old', intervalMs: 3_600_000, run: deleteOld },
  { name: 'note-storage', intervalMs: 3_600_000, run: noteStorage },
  { name: 'delete-expired-sessions', intervalMs: 60_000, run: ({ db }) => deleteExpired(db) },
  { name: 'note-ended-locks', intervalMs: 60_000, run: ({ db }) => noteEndedLocks(db) },
];
