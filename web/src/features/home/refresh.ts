/**
 * How often figures are asked for again that time alone changes, without anybody's doing: which day is today, what was
 * sold by this minute a week ago, what lasting alarms cost.
 */
export const REFRESH_MS = 60_000
