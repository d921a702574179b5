import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Long tests in small files: whole programs that are killed and restarted, and the corpus. */
const SLOW = /\/test\/(stories|program|queue|browser|faults)\/|\/workers\/|\/split\/corpus\./;

/** Starts the longest files first, so that the run does not wait for a single one at its end. Vitest sorts by size. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow).reverse(), ...sorted.filter((file) => !isSlow(file))];
  }
}
