-- Visible projects whose slug is close to that of `p_name`, except those much less close than the closest.
CREATE OR REPLACE FUNCTION close_names(p_name text, p_limit int) RETURNS TABLE (id bigint) LANGUAGE sql STABLE
SET pg_trgm.word_similarity_threshold = 0.3 AS $$
  SELECT c.id FROM (
    SELECT p.id, word_similarity(p_name, p.slug) AS closeness, max(word_similarity(p_name, p.slug)) OVER () AS closest
    FROM projects p WHERE p.hidden_at IS NULL AND p_name <% p.slug
  ) c WHERE c.closeness >= 0.85 * c.closest ORDER BY c.closeness DESC, c.id LIMIT p_limit;
$$;
