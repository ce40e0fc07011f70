import { writeOffFields } from '@aisle/contract/stock/writeOff'

/** What the verbs of a batch where it lies ask for. */
export const expiryVerbFields = {
  ...writeOffFields,
  paidPercent: { kind: 'percent' },
  endsOn: { kind: 'day' },
  dueOn: { kind: 'day' },
} as const
