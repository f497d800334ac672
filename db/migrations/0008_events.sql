-- What happens to a listing besides votes (R50): views, clicks on its links, and shares, counted per day. Nothing of the people behind them is
-- stored. Servers add up in memory and write every few seconds, so that a row changes as often as that and not with each view.
-- docs/decisions/0032-counting-views.md
CREATE TYPE event_kind AS ENUM ('view', 'click', 'share');
-- Where it happened: on a card of the deck, on the project's page, in a badge or an embedded card on another site, or on the page after a
-- shared link was opened.
CREATE TYPE event_source AS ENUM ('deck', 'page', 'badge', 'embed', 'link');

CREATE TABLE project_events_days (
  project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
  day date NOT NULL,
  kind event_kind NOT NULL,
  source event_source NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (project_id, day, kind, source)
);
