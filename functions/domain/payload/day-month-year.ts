/** A date or date-time as `24.12.2026`: the day as its writer wrote it, in the writer's zone. Other text stays as it is. */
export function dayMonthYear(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return year === undefined ? text : `${day}.${month}.${year}`;
}
