import { expect, test } from 'vitest'
import { isGivenUp, nextTryAt, outcomeOf, restMs, signaturesOf } from './webhook.rules'

const NOW = new Date('2026-11-20T04:00:00Z')

test('it is signed as the reference library of the Standard Webhooks specification signs it', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  }
  // By standardwebhooks 1.1.1.
  const known = 'v1,ZX+cit3WVzUwYRrx5Jd2bAxKm4yP98Gl9PXm206LrCk='
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLSw'
  expect(signaturesOf([secret], message)).toBe(known)
  const both = signaturesOf([`whsec_${Buffer.alloc(32, 7).toString('base64')}`, secret], message)
  expect(both.split(' ')).toEqual([expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/), known])
})

test('ten tries, each later than the one before, then none', () => {
  const seconds = Array.from({ length: 10 }, (_, tries) => nextTryAt(tries, NOW, 0)).map(
    (at) => ((at?.getTime() ?? 0) - NOW.getTime()) / 1000,
  )
  expect(seconds).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect(nextTryAt(10, NOW, 0)).toBeNull()
  expect(nextTryAt(2, NOW, 1)).toEqual(new Date(NOW.getTime() + 330_000))
})

test.each([
  [200, 'taken'],
  [204, 'taken'],
  [302, 'failed'],
  [400, 'failed'],
  [410, 'gone'],
  [429, 'slow'],
  [500, 'failed'],
  [502, 'slow'],
  [503, 'slow'],
  [504, 'slow'],
  [null, 'failed'],
] as const)('an answer of %s is %s', (status, outcome) => expect(outcomeOf(status)).toBe(outcome))

const slow = (retryAfter: string | undefined) => ({ retryAfter, now: NOW })
test.each([
  [1, null, 0],
  [3, null, 5_000],
  [5, null, 20_000],
  [40, null, 300_000],
  [1, slow(undefined), 30_000],
  [1, slow('7'), 7_000],
  [1, slow('0'), 1_000],
  [1, slow('999999999'), 3_600_000],
  [1, slow(new Date(NOW.getTime() + 90_000).toUTCString()), 90_000],
  [1, slow('soon'), 30_000],
  [9, slow('7'), 300_000],
] as const)('after %i rounds, asked for %j, it rests %i ms', (failures, asked, ms) =>
  expect(restMs(failures, asked)).toBe(ms),
)

test('five days without a single one taken are enough', () => {
  expect(isGivenUp(new Date(NOW.getTime() - 5 * 86_400_000 + 1), NOW)).toBe(false)
  expect(isGivenUp(new Date(NOW.getTime() - 5 * 86_400_000), NOW)).toBe(true)
})
