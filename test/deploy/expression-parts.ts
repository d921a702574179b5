const COMPARISON = /^(>=|<=|==|!=|>|<)/;
const SET_OPERATOR = /^(and|or|unless)\b/;

/**
 * What must return data for a rule to be able to fire: `a > 5 unless b > 0` is nothing while all is well, `a` and `b` are not. A
 * part is what stands outside of brackets before a comparison; `(x or vector(0))`, which always is, becomes `x`.
 */
export function expressionParts(expression: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isLimit = false;
  const end = () => {
    parts.push(part);
    part = '';
    isLimit = false;
  };
  for (const piece of topLevelPieces(expression)) {
    if (SET_OPERATOR.test(piece)) end();
    else if (COMPARISON.test(piece)) isLimit = true;
    else if (!isLimit) part += piece;
  }
  end();
  return parts.map((text) => text.replaceAll(/ or vector\(0\)/g, '').trim());
}

/** Operators outside of all brackets, and the text between them. */
function topLevelPieces(expression: string): string[] {
  const pieces = [''];
  let depth = 0;
  for (let at = 0; at < expression.length; ) {
    const rest = expression.slice(at);
    const quoted = /^"[^"]*"/.exec(rest)?.[0];
    const startsWord = !/\w$/.test(expression.slice(0, at));
    const operator =
      depth === 0 ? (COMPARISON.exec(rest)?.[0] ?? (startsWord ? SET_OPERATOR.exec(rest)?.[0] : undefined)) : undefined;
    if (operator) pieces.push(operator, '');
    else {
      const text = quoted ?? rest.charAt(0);
      if (!quoted && '([{'.includes(text)) depth += 1;
      if (!quoted && ')]}'.includes(text)) depth -= 1;
      pieces[pieces.length - 1] += text;
    }
    at += (operator ?? quoted ?? ' ').length;
  }
  return pieces;
}
