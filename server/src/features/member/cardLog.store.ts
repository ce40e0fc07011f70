import type { DeskAction } from '@aisle/contract/member/cardTransaction'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

type Line = {
  cardId: number
  merchantId: number
  action: DeskAction
  at: Date
  userId: number
  note?: string
  /** Of the transfer that moved what is on the card. */
  moved?: { kind: string; reference: string }
}

/** What people do with cards; what moves their money is told by the facts themselves (0191_cards.sql). */
export async function insertLog(tx: Tx, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  const told = lines.map(({ moved, note = '', ...line }) => ({
    ...line,
    note,
    transferKind: moved?.kind ?? null,
    reference: moved?.reference ?? null,
  }))
  await sql`insert into member_card_log (card_id, merchant_id, action, at, user_id, note, transfer_kind, reference)
    select * from ${rows('l', told, {
      cardId: 'bigint',
      merchantId: 'bigint',
      action: 'text',
      at: 'timestamptz',
      userId: 'bigint',
      note: 'text',
      transferKind: 'text',
      reference: 'text',
    })}`.execute(tx)
}
