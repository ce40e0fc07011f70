import { type RawBuilder, sql } from 'kysely'

/** Money that no order asked for (UP), and what differs in a channel's bill (SD). */
export type MoneyCase = 'UP' | 'SD'

/**
 * Our number at the channel for giving back the money of a case: one a case, so that it is paid once however often it
 * is asked for. Providers want 8 to 32 letters and digits.
 */
export const caseRefundNo = (kind: MoneyCase, id: number): string => `${kind}${String(id).padStart(10, '0')}`

/** The same number where the database writes it. */
export const caseRefundNoOf = (kind: MoneyCase, id: RawBuilder<unknown>): RawBuilder<string> =>
  sql`${kind}::text || lpad(${id}::text, greatest(10, length(${id}::text)), '0')`

/** The case that such a number in a bill was made from, with or without zeros as of old; null for other numbers. */
export const caseOfRefundNo = (kind: MoneyCase, refundNo: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql`case when ${refundNo} ~ ${`^${kind}[0-9]{1,15}$`} then substr(${refundNo}, 3)::bigint end`
