import { beforeAll, describe, expect, it } from 'vitest';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { describeWithPython, pythonProgram } from './python.js';
import { inWords, pythonTests, runModule } from './python-tests.js';

const RUN_MS = 250_000;

const url = rabbitmqUrl();

// Python's own tests, each told as one of ours.
describeWithPython('the Python kit', () => {
  describe.for([...pythonTests(pythonProgram())])('%s', ([module, tests]) => {
    let run: Awaited<ReturnType<typeof runModule>>;
    beforeAll(async () => {
      run = await runModule(pythonProgram(), module, { RABBITMQ_URL: url });
    }, RUN_MS);

    it.for(tests.map((id) => [inWords(id), id] as const))('%s', ([, id], { skip }) => {
      const end = run.ends.get(id);
      if (end?.outcome === 'skipped') skip(end.detail);
      expect(end?.outcome, end?.detail || run.output || 'it did not run').toBe('passed');
    });

    it('reports nothing besides its tests', () => {
      const others = [...run.ends.values()].filter(({ id }) => !tests.includes(id));
      expect(others).toEqual([]);
    });
  });
});
