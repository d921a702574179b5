import { it } from 'vitest';
import { surviveKills } from '../program/kill-series.js';

it('survives ten kills in a row of itself, its PostgreSQL and both', () => surviveKills(10));
