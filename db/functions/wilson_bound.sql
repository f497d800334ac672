-- Lower bound of the 95 % Wilson interval of the bullish share, 0 to 1, as `confidence` of shared/interval.ts computes
-- it: the same steps in the same order, so that both give the same bits.
CREATE OR REPLACE FUNCTION wilson_bound(bullish bigint, bearish bigint) RETURNS double precision
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN bullish = 0 THEN 0 ELSE (
    SELECT (p + (z * z) / (2 * n) - z * sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n)
    FROM (SELECT 1.959963984540054::double precision AS z, (bullish + bearish)::double precision AS n,
      bullish::double precision / (bullish + bearish)::double precision AS p) x
  ) END;

-- The order 'Verified' comes from memory (server/listings/projects/ordered.ts).
DROP INDEX IF EXISTS verified_stats_order_idx;
