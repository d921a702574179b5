import { crashConformance } from './crash-conformance.js';

crashConformance('PostgreSQL', () => undefined);
