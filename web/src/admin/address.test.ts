import { listMachines } from '@aisle/contract/fleet/machine'
import { listOrders } from '@aisle/contract/trade/order'
import { expect, test } from 'vitest'
import { changed, hasSameConditions, pagesBefore, placed, readAddress, writeAddress } from './address'

const orders = listOrders.input.shape

test('what is written is read again: filters, page, open row and tab', () => {
  const address = {
    query: { orderNo: '20261120031200087', from: '2026-11-20', cursor: 'abc' },
    open: '87',
    tab: 'link',
    part: 'routes',
  }
  expect(readAddress(writeAddress(address), orders)).toEqual(address)
})

test('a number that a code looks like is not rounded and keeps its zeros', () => {
  const { query } = readAddress('?orderNo=00912026112003120008712345', orders)
  expect(query.orderNo).toBe('00912026112003120008712345')
})

test('unknown names and values the endpoint would refuse are left out', () => {
  const { query } = readAddress('?method=gold&from=yesterday&colour=red&toString=1&paymentState=paid', orders)
  expect(query).toEqual({ paymentState: 'paid' })
})

test('a sort the endpoint does not offer is dropped', () => {
  expect(readAddress('?sort=worst', listMachines.input.shape).query).toEqual({ sort: 'worst' })
  expect(readAddress('?sort=price', listMachines.input.shape).query).toEqual({})
})

test('an open row that is no id opens nothing', () => {
  expect(readAddress('?open=-1', orders).open).toBeNull()
  expect(readAddress('?open=12', orders).open).toBe('12')
})

test('an address without anything is empty, and a tab needs an open row', () => {
  expect(writeAddress({ query: {}, open: null, tab: 'link', part: null })).toBe('')
})

test('changing a condition returns to the first page and empty takes it away', () => {
  expect(changed({ method: 'cash', skip: '40' }, { from: '2026-11-20' })).toEqual({
    method: 'cash',
    from: '2026-11-20',
  })
  expect(changed({ method: 'cash', cursor: 'abc' }, { method: '', from: '2026-11-20' })).toEqual({ from: '2026-11-20' })
})

test('page, size and order are no conditions', () => {
  expect(hasSameConditions({ from: '2026-11-20', cursor: 'x', pageSize: '50' }, { from: '2026-11-20' })).toBe(true)
  expect(hasSameConditions({ from: '2026-11-20' }, { from: '2026-11-20', to: '2026-11-20' })).toBe(false)
})

test('the pages before one that was jumped to are those that leafing would have left', () => {
  expect(placed({ method: 'cash', cursor: 'abc' }, { skip: '40' })).toEqual({ method: 'cash', skip: '40' })
  expect(placed({ method: 'cash', skip: '40' }, {})).toEqual({ method: 'cash' })
  expect(pagesBefore(0, 20)).toEqual([])
  expect(pagesBefore(60, 20)).toEqual([{}, { skip: '20' }, { skip: '40' }])
})
