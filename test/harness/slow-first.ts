import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Long tests behind small files: whole programs, killed and started again; a whole corpus. */
const SLOW = /\/test\/(stories|program|queue|browser|faults)\/|\/workers\/|\/split\/corpus\./;

/** Whatever takes long begins first, so that in the end nobody waits for a single file. Vitest alone goes by size. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow).reverse(), ...sorted.filter((file) => !isSlow(file))];
  }
}
