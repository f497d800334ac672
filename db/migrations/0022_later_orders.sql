-- Later paid orders of a listing end one whose name waits (R74).
CREATE INDEX payments_listing_idx ON payments (project_id) WHERE project_id IS NOT NULL AND state IN ('paid', 'fulfilled');
