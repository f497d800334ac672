-- The role of the SQL console (R32): the product's tables and nothing else. Called here and again by the server,
-- because database privileges are not copied with a database. Roles belong to the whole cluster, so it may already
-- exist, or be created by another server at this moment.
CREATE OR REPLACE FUNCTION grant_console() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'snapswipe_console') THEN
    BEGIN
      CREATE ROLE snapswipe_console NOLOGIN;
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL;
      WHEN insufficient_privilege THEN
        RAISE NOTICE 'the role snapswipe_console has to be created by a role that may create roles';
        RETURN;
    END;
  END IF;
  GRANT USAGE ON SCHEMA public TO snapswipe_console;
  GRANT SELECT, INSERT, UPDATE, DELETE ON activity, config, images, job_runs, payments, payout_batches, payout_items,
    project_slugs, project_stats, projects, reports, review_replies, reviews, user_stats, users, withdrawals TO snapswipe_console;
  GRANT SELECT, INSERT ON token_ledger TO snapswipe_console;
  -- A vote is a reward: only the product casts votes.
  GRANT SELECT ON votes, vote_changes, opinions, undone_votes, ledger_entries TO snapswipe_console;
  GRANT SELECT ON project_events_days TO snapswipe_console;
  -- Readings record the chain's data on the product's wallets; only readings, and the owner with a reason, change it.
  GRANT SELECT ON payout_history, payout_scans, outgoing_transfers TO snapswipe_console;
  GRANT SELECT ON change_notices, coin_decimals, holder_figures, identity_changes, invariant_runs, listing_versions, ownership_events, ownerships TO snapswipe_console;
  -- Readings and rules, and the admin with a reason, decide which votes are verified. All of it can be read, except
  -- secrets (moments of readings, networks).
  GRANT SELECT ON appeals, holder_standing, now_days, opinion_days, opinion_states, project_days, project_trends, rhythm_days, standing_days, totals, totals_state, verified_counts, verified_stats,
    vote_decisions, vote_evidence, vote_state_days, vote_states, voter_standing, votes_set_aside TO snapswipe_console;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;
REVOKE EXECUTE ON FUNCTION grant_console() FROM PUBLIC;
SELECT grant_console();
