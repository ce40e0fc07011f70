import type { ItemState } from '@aisle/contract/trade/states'
import { expect, test } from 'vitest'
import { dueBack } from './due.rules'

const done = { isPlayed: false, orderState: 'done', paidFen: 1000, heldFen: 0 } as const
const item = (state: ItemState, shareFen: number, isHeld = false) => ({ state, shareFen, isHeld })

test.each([
  ['all came out', done, [item('dispensed', 1000)], 0, 0],
  ['one jammed', done, [item('jammed', 400), item('dispensed', 600)], 400, 1],
  ['nobody knows of one, one failed', done, [item('no_answer', 400), item('failed', 600)], 1000, 2],
  [
    'a discount made its part smaller',
    { ...done, paidFen: 500 },
    [item('jammed', 166), item('dispensed', 334)],
    166,
    1,
  ],
  ['the machine is at it', { ...done, orderState: 'open' as const }, [item('jammed', 400), item('waiting', 600)], 0, 0],
  ['a refund stands for it', { ...done, heldFen: 400 }, [item('jammed', 400, true), item('dispensed', 600)], 0, 0],
  ['for one of two', { ...done, heldFen: 400 }, [item('jammed', 400, true), item('jammed', 600)], 600, 1],
  ['an amount covers some', { ...done, heldFen: 100 }, [item('jammed', 400), item('dispensed', 600)], 300, 1],
  ['an amount covers all', { ...done, heldFen: 400 }, [item('jammed', 400), item('dispensed', 600)], 0, 0],
  ['an amount beside an item', { ...done, heldFen: 700 }, [item('jammed', 600, true), item('jammed', 400)], 300, 1],
  ['what came out went back', { ...done, heldFen: 600 }, [item('jammed', 400), item('dispensed', 600, true)], 400, 1],
  ['paid when it was closed', { ...done, orderState: 'closed' as const }, [item('waiting', 1000)], 1000, 1],
  [
    'what came out of it all the same stays paid',
    { ...done, orderState: 'closed' as const },
    [item('waiting', 400), item('dispensed', 600)],
    400,
    1,
  ],
  ['no more than is left of what was paid', { ...done, paidFen: 500, heldFen: 100 }, [item('jammed', 1000)], 400, 1],
  ['paid less than asked', { ...done, orderState: 'closed' as const, paidFen: 0 }, [item('waiting', 0)], 0, 0],
  ['its prize is owed', { ...done, isPlayed: true }, [item('jammed', 1000)], 0, 0],
  ['waits to be judged', done, [item('waiting', 1000)], 0, 0],
] as const)('due back where %s', (_, order, items, amountFen, count) => {
  const due = dueBack(order, items)
  expect([due.amountFen, due.items.length]).toEqual([amountFen, count])
})
