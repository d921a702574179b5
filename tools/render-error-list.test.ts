import { expect, it } from 'vitest';
import { renderErrorList } from './render-error-list.js';

it('docs/errors.md lists exactly the codes of the program (vitest -u writes it)', async () => {
  await expect(renderErrorList()).toMatchFileSnapshot('../docs/errors.md');
});
