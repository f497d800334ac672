-- Stops work that was running when the account was deleted. 'refuse' fails with SD001, which the server reports as an ended session;
-- 'skip' leaves the row out.
CREATE OR REPLACE FUNCTION keep_deleted_empty() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_deleted_at timestamptz;
BEGIN
  SELECT deleted_at INTO v_deleted_at FROM users WHERE id = NEW.user_id FOR KEY SHARE;
  IF v_deleted_at IS NULL THEN RETURN NEW; END IF;
  IF TG_ARGV[0] = 'skip' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'The account of user % was deleted', NEW.user_id USING ERRCODE = 'SD001';
END $$;
REVOKE EXECUTE ON FUNCTION keep_deleted_empty() FROM PUBLIC;

CREATE TRIGGER sessions_keep_deleted_empty BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER vote_changes_keep_deleted_empty BEFORE INSERT ON vote_changes FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER payments_keep_deleted_empty BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER withdrawals_keep_deleted_empty BEFORE INSERT ON withdrawals FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER reviews_keep_deleted_empty BEFORE INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER reports_keep_deleted_empty BEFORE INSERT ON reports FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER appeals_keep_deleted_empty BEFORE INSERT ON appeals FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER claims_keep_deleted_empty BEFORE INSERT ON claims FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER activity_keep_deleted_empty BEFORE INSERT ON activity FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');
CREATE TRIGGER notices_keep_deleted_empty BEFORE INSERT ON notices FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');
CREATE TRIGGER daily_decks_keep_deleted_empty BEFORE INSERT ON daily_decks FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');
CREATE TRIGGER terms_consents_keep_deleted_empty BEFORE INSERT ON terms_consents FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');
CREATE TRIGGER asked_again_keep_deleted_empty BEFORE INSERT ON asked_again FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');
CREATE TRIGGER push_settings_keep_deleted_empty BEFORE INSERT ON push_settings FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER push_subscriptions_keep_deleted_empty BEFORE INSERT ON push_subscriptions FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER follows_keep_deleted_empty BEFORE INSERT ON follows FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER turn_notices_keep_deleted_empty BEFORE INSERT ON turn_notices FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('skip');
CREATE TRIGGER vote_reasons_keep_deleted_empty BEFORE INSERT ON vote_reasons FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER undone_votes_keep_deleted_empty BEFORE INSERT ON undone_votes FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER user_allowances_keep_deleted_empty BEFORE INSERT ON user_allowances FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
CREATE TRIGGER archive_requests_keep_deleted_empty BEFORE INSERT ON archive_requests FOR EACH ROW EXECUTE FUNCTION keep_deleted_empty('refuse');
