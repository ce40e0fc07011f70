import { expect, test } from 'vitest'
import { issuerPays } from './issuer.rules'

test.each([
  ['all of it where that is there', 300, 1_000, 300],
  ['all that is there where it is less', 300, 120, 120],
  ['the last fen', 300, 300, 300],
  ['nothing where nothing is there', 300, 0, 0],
  ['nothing where nothing is due', 0, 500, 0],
  ['nothing while it owes more than it has', 300, -50, 0],
  ['what was brought in for nothing comes back', -80, 0, -80],
  ['and comes back though it owes more than it has', -80, -50, -80],
])('an issuer pays %s', (_, dueFen, availableFen, amountFen) => {
  expect(issuerPays({ dueFen, availableFen })).toBe(amountFen)
})
