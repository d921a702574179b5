export type { components, paths } from '../../../src/contracts/api';
