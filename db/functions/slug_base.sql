-- The same as shared/listings/slug.ts for Latin, Greek and Cyrillic letters (R23). For the quick query that repairs addresses.
CREATE OR REPLACE FUNCTION slug_base(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
  WITH sounds(sound, letters) AS (VALUES
    ('2', 'ƨ'), ('5', 'ƽ'), ('6', 'ƅ'), ('a', 'άαаӑӓәӭ'), ('ae', 'æǣǽӕ'), ('b', 'ƀƃб'), ('c', 'ƈȼϭћҹ'), ('ch', 'χчҽҿ'),
    ('d', 'ðđƌȡδдẟ'), ('db', 'ȸ'), ('dj', 'ђ'), ('dz', 'ѕӡ'), ('dzh', 'џӌӝ'), ('e', 'ǝɇέεеэѐёӗӛ'), ('f', 'ƒφϥф'),
    ('g', 'ǥγгѓґҝ'), ('gh', 'ƣғҕӷ'), ('gi', 'ӂ'), ('h', 'ħͱϩҳһӏӿ'), ('hw', 'ƕ'), ('i', 'ıΐήίηιϊиіїѝӣӥ'), ('ie', 'є'),
    ('j', 'ȷɉϫϳјҗҷӟ'), ('jh', 'ҋ'), ('k', 'ƙκкќ'), ('kh', 'х'), ('l', 'łƚƛȴλл'), ('lh', 'ӆ'), ('lj', 'љ'), ('ll', 'ỻ'),
    ('m', 'μм'), ('mh', 'ӎ'), ('n', 'ƞȵνн'), ('ng', 'ŋңҥӈ'), ('nh', 'ӊ'), ('nj', 'њ'), ('o', 'øǿοωόώоӧө'), ('oe', 'œ'),
    ('ou', 'ȣ'), ('p', 'ƥπп'), ('ph', 'ҧ'), ('ps', 'ψ'), ('q', 'ĸɋϙϟқҟҡӄ'), ('qp', 'ȹ'), ('r', 'ɍρр'), ('rh', 'ҏ'),
    ('s', 'ȿͳͻςσϡϻсҫ'), ('sh', 'ƪϣϸш'), ('shch', 'щ'), ('ss', 'ß'), ('st', 'ϛ'), ('t', 'ŧƫƭȶτт'), ('th', 'þθҭ'), ('ti', 'ϯ'),
    ('ts', 'ƾцҵ'), ('tsh', 'ӵ'), ('u', 'уўүұӯӱӳ'), ('v', 'βвỽ'), ('w', 'ƿͷϝҩ'), ('x', 'ξϧӽ'), ('xh', 'ӻ'),
    ('y', 'ƴȝɏΰυϋύйыӫӹỿ'), ('ya', 'я'), ('yu', 'ю'), ('z', 'ƍƶȥɀζзҙ'), ('zh', 'ƺǯж')
  ), spelled AS (
    SELECT string_agg(coalesce(sounds.sound, c.letter), '' ORDER BY c.ord) AS words
    FROM regexp_split_to_table(lower(normalize(without_invisible(name), NFKC)), '') WITH ORDINALITY AS c(letter, ord)
    LEFT JOIN sounds ON c.letter <> '' AND strpos(sounds.letters, c.letter) > 0
  )
  SELECT coalesce(nullif(rtrim(left(ltrim(regexp_replace(
    regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g'), '-'), 60), '-'), ''), 'project')
  FROM spelled;
END;
