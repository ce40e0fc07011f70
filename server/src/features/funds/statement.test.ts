import { type BankLine, explainBankLine, listBankLines } from '@aisle/contract/funds/bankLine'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { together } from '../../testing/races'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { openBank } from './bank.channel'
import { countOpenLines } from './bankLine.store'
import { readStatements } from './statement.commands'

import {
  NEXT,
  anywhere,
  approved,
  as,
  asker,
  bank,
  call,
  first,
  later,
  moveTo,
  now,
  pass,
  refusalOf,
  second,
  openFunds,
  world,
} from './testing'

openFunds()

test('a day’s statement is read once and held beside what was booked; somebody else says why they differ', async () => {
  bank.how.today = () => businessTime(now, PLATFORM_TIME_ZONE).day
  // One as it was booked, one that its statement forgets, one paid twice, and the bank's own charge.
  bank.how.lines = (_, told) =>
    told.length < 2
      ? told
      : [
          ...told.filter(({ amountFen }) => amountFen !== 20_000),
          ...told.filter(({ amountFen }) => amountFen === 10_000).map((line) => ({ ...line, bankNo: 'again' })),
          { kind: 'paid' as const, reference: 'charge', bankNo: 'c1', amountFen: 500 },
        ]
  for (const fen of [30_000, 20_000, 10_000]) await approved(fen)
  await pass(NEXT)
  await pass(later(5))
  const read = () => readStatements(world.services, (line, at) => openBank(line, at, anywhere))
  const lines = (query = {}) => as<{ items: BankLine[] }>(first, listBankLines, query)
  await read()
  expect((await lines()).items).toEqual([])
  moveTo(new Date('2026-11-23T01:00:00Z'))
  await together(read)
  const { items } = await lines({ from: '2026-11-21' })
  const short = items.map(({ outcome, amountFen, ourFen, isOpen }) => [outcome, amountFen, ourFen, isOpen])
  expect(short.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ['matched', 10_000, 10_000, false],
    ['matched', 30_000, 30_000, false],
    ['missing', 20_000, 20_000, true],
    ['strange', 500, null, true],
    ['twice', 10_000, 10_000, true],
  ])
  const twice = items.find(({ outcome }) => outcome === 'twice')
  const said = { id: twice?.id, reason: 'The bank took it back' }
  expect(await refusalOf(first, explainBankLine, said)).toBe('withdrawal.samePerson')
  await as(second, explainBankLine, said)
  expect(await refusalOf(second, explainBankLine, said)).toBe('bankLine.explained')
  expect((await lines({ outcome: 'open' })).items).toHaveLength(2)
  expect(await countOpenLines(world.services.db, { kind: 'all' })).toBe(2)
  expect((await call(asker, listBankLines)).body.data).toMatchObject({ items: [] })
  for (const { id } of (await lines({ outcome: 'open' })).items) {
    await as(second, explainBankLine, { id, reason: 'Found out' })
  }
  await read()
  expect(await countOpenLines(world.services.db, { kind: 'all' })).toBe(0)
  const clear = await sql<{ day: string }>`select to_char(day, 'YYYY-MM-DD') as day from bank_statement
    where is_clear order by day`.execute(world.services.db)
  expect(clear.rows.map(({ day }) => day)).toEqual(['2026-11-21', '2026-11-22'])
  expect((await lines({ from: '2026-11-21' })).items).toHaveLength(5)
})
