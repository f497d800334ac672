-- Names of listings: one that only differs from another in what nobody sees is that other name. And the part of an address that
-- a name gives, for the quick query that mends addresses.

-- A text without what browsers draw as nothing: format controls, fillers, variation selectors, joiners. As in
-- shared/clean-text.ts, but for the tags in flags (England's is not Scotland's) and without sparing emoji and scripts.
CREATE FUNCTION without_invisible(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(words, '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5'
    '\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff'
    '\U00013430-\U0001345f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e001f'
    '\U000e0080-\U000e0fff]', '', 'g');

-- What two names have in common that people cannot tell apart: compatibility forms, case, white space, invisible characters.
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN btrim(regexp_replace(translate(normalize(lower(normalize(without_invisible(name), NFKC)), NFKC), 'ς', 'σ'),
    '[\s\u0085\u1680\u2028\u2029]+', ' ', 'g'));
-- Not unique: two listings may share a name from before, and one of them may be hidden or shown again. Who lists or renames
-- looks here while holding the lock on names (server/projects/slugs.ts).
CREATE INDEX projects_name_key_idx ON projects (name_key(name)) WHERE hidden_at IS NULL;

-- The part of an address that a name gives (R23), as shared/slug.ts makes it of Latin, Greek and Cyrillic letters; 'project'
-- when that leaves nothing.
CREATE FUNCTION slug_base(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
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
