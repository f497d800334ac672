-- Snaps that the site gave and no vote earned, as in the demo: /supply shows them apart, so that all others are ten for each vote.
ALTER TYPE ledger_kind ADD VALUE 'grant' BEFORE 'review_burn';
