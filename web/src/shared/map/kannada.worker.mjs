// Loaded in the map's workers. Browsers split a Kannada conjunct (according to Unicode's rules for cursors), and each
// part would be drawn separately, with a visible virama: this keeps it together.
const JOINS = /\u0ccd\u200d?$/;
const CONSONANT = /^[\u0c95-\u0cb9\u0cdd\u0cde]/;

const { segment } = Intl.Segmenter.prototype;
Intl.Segmenter.prototype.segment = function (text) {
  const parts = segment.call(this, text);
  if (!text.includes("\u0ccd") || this.resolvedOptions().granularity !== "grapheme") return parts;
  const joined = [];
  for (const { segment: letters, index } of parts) {
    const last = joined.at(-1);
    if (last && JOINS.test(last.segment) && CONSONANT.test(letters)) last.segment += letters;
    else joined.push({ segment: letters, index, input: text });
  }
  return joined;
};
