-- Equals shared/text/clean-text.ts, except for the tags in flags, and without exceptions for emoji and scripts.
CREATE OR REPLACE FUNCTION without_invisible(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(words, '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5'
    '\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff'
    '\U00013430-\U0001345f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e001f'
    '\U000e0080-\U000e0fff]', '', 'g');
