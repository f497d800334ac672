-- The role of the SQL console (R32). The server calls this as well, because privileges are not copied with a database. Roles belong to the
-- cluster, so it may exist, or be created concurrently.
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
  GRANT SELECT, INSERT, UPDATE, DELETE ON activity, config, images, job_runs, payments,
    project_slugs, project_stats, projects, reports, review_replies, reviews, user_stats, users, withdrawals TO snapswipe_console;
  GRANT SELECT, INSERT ON token_ledger TO snapswipe_console;
  GRANT SELECT, INSERT, DELETE ON blanked_pictures TO snapswipe_console;
  -- Votes are read-only: only the product casts them.
  GRANT SELECT ON votes, vote_changes, opinions, undone_votes, ledger_entries TO snapswipe_console;
  GRANT SELECT ON log_checkpoints, project_events_days TO snapswipe_console;
  -- Changed by approvals, and by the owner with a reason.
  GRANT SELECT ON books, book_totals, database_copies TO snapswipe_console;
  GRANT SELECT ON change_notices, identity_changes, invariant_runs, listing_versions, open_identity_changes, ownership_events, ownerships, packages, project_turns, reason_figures TO snapswipe_console;
  -- All figures of standing, without the moments of readings and the networks, which are secret.
  GRANT SELECT ON appeals, opinion_days, opinion_states, project_days, project_trends, rhythm_days, standing_days, totals, totals_state, closed_days, verified_stats,
    vote_evidence, vote_state_days, vote_states, voter_standing, votes_set_aside TO snapswipe_console;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;
REVOKE EXECUTE ON FUNCTION grant_console() FROM PUBLIC;
SELECT grant_console();
