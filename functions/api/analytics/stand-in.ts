import type { Cohort } from '#domain/figures/cohort.ts';
import type { Counters } from '#domain/figures/counter-store.ts';
import type { DayRange } from './day-range.ts';

export const readCohorts = async (_slug: string, _days: DayRange): Promise<Cohort[]> => [];
export const readDayCounts = async (_slug: string, _days: DayRange): Promise<Map<string, Counters>> => new Map();
