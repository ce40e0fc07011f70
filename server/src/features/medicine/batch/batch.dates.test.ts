import { expect, test } from 'vitest'
import { lastDayOfBatch } from './batch.dates'

test.each([
  ['the label', { producedOn: null, expiresOn: '2027-05-12' }, null, '2027-05-12'],
  ['a label with a month only', { producedOn: null, expiresOn: '2027-02' }, null, '2027-02-28'],
  ['the same in a leap year', { producedOn: null, expiresOn: '2028-02' }, null, '2028-02-29'],
  ['a day that no calendar has', { producedOn: null, expiresOn: '2027-02-29' }, null, null],
  ['the shelf life', { producedOn: '2026-01-01', expiresOn: null }, 730, '2028-01-01'],
  ['the label before the shelf life', { producedOn: '2026-01-01', expiresOn: '2027-06' }, 730, '2027-06-30'],
  ['no label and no shelf life', { producedOn: '2026-01-01', expiresOn: null }, null, null],
  ['a shelf life and no day', { producedOn: null, expiresOn: null }, 730, null],
  ['an end before the beginning', { producedOn: '2026-01-02', expiresOn: '2026-01-01' }, null, null],
  ['one day', { producedOn: '2026-01-02', expiresOn: '2026-01-02' }, null, '2026-01-02'],
])('the last day of a batch by %s', (_, dates, shelfLifeDays, day) => {
  expect(lastDayOfBatch(dates, shelfLifeDays)).toBe(day)
})
