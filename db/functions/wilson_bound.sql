-- `confidence` of shared/numbers/interval.ts, in the same steps: both give the same bits.
CREATE OR REPLACE FUNCTION wilson_bound(bullish bigint, bearish bigint) RETURNS double precision
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN bullish = 0 THEN 0 ELSE (
    SELECT (p + (z * z) / (2 * n) - z * sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n)
    FROM (SELECT 1.959963984540054::double precision AS z, (bullish + bearish)::double precision AS n,
      bullish::double precision / (bullish + bearish)::double precision AS p) x
  ) END;

