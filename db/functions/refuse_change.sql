-- Append-only tables, for every role.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER votes_append_only BEFORE UPDATE OR TRUNCATE ON votes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vote_changes_append_only BEFORE UPDATE OR TRUNCATE ON vote_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER undone_votes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON undone_votes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER token_ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON token_ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_files_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_files
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_cosignatures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_cosignatures
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
