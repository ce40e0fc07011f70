import { expect, test } from 'vitest'
import { rowsOf } from './rows.rules'

test('the wide panel stands alone, the others in two columns, each in the one that is shorter so far', () => {
  expect(rowsOf(['runningOut', 'sales', 'broken', 'machines', 'waiting'])).toEqual([
    [['runningOut']],
    [['sales']],
    [['broken'], ['machines', 'waiting']],
  ])
  expect(rowsOf(['work', 'broken', 'machines', 'runningOut'])).toEqual([
    [['work', 'machines', 'runningOut'], ['broken']],
  ])
  expect(rowsOf(['work', 'broken'])).toEqual([[['work'], ['broken']]])
  expect(rowsOf([])).toEqual([])
})
